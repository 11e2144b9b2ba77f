//! What kernel files say, from real files of 5.10, 6.1, 6.12 and 6.18.

use koord_cgroup::parse::{ParseError, cpu, cpuset, memory, number, number_or_max, pressure};

#[test]
fn v2_cpu_stat_gives_usage_and_throttling_in_nanoseconds() {
    let content = b"usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\nnice_usec 7\ncore_sched.force_idle_usec 0\n\
        nr_periods 10\nnr_throttled 3\nthrottled_usec 250000\nnr_bursts 2\nburst_usec 40\n";
    assert_eq!(
        cpu::stat_v2_usage(content),
        Ok(cpu::Usage {
            usage_ns: 1_500_000_000,
            user_ns: 1_000_000_000,
            system_ns: 500_000_000
        })
    );
    assert_eq!(
        cpu::stat_v2_throttling(content),
        Ok(Some(cpu::Throttling {
            nr_periods: 10,
            nr_throttled: 3,
            throttled_ns: 250_000_000,
            nr_bursts: Some(2),
            burst_ns: Some(40_000),
        }))
    );
}

#[test]
fn v2_cpu_stat_without_the_cpu_controller_has_no_throttling() {
    let content = b"usage_usec 1\nuser_usec 1\nsystem_usec 0\n";
    assert_eq!(cpu::stat_v2_throttling(content), Ok(None));
}

#[test]
fn v1_cpu_stat_of_kernels_before_burst_has_no_burst() {
    let content = b"nr_periods 4\nnr_throttled 1\nthrottled_time 77\n";
    let expected = cpu::Throttling {
        nr_periods: 4,
        nr_throttled: 1,
        throttled_ns: 77,
        nr_bursts: None,
        burst_ns: None,
    };
    assert_eq!(cpu::stat_v1(content), Ok(expected));
}

#[test]
fn a_missing_line_is_named() {
    let error = cpu::stat_v1(b"nr_periods 4\nthrottled_time 77\n").unwrap_err();
    assert_eq!(
        error,
        ParseError::Missing {
            key: "nr_throttled"
        }
    );
    assert_eq!(error.to_string(), "no line \"nr_throttled\"");
}

#[test]
fn no_quota_is_max_on_v2_and_minus_one_on_v1() {
    assert_eq!(
        cpu::max_v2(b"max 100000\n"),
        Ok(cpu::Bandwidth {
            quota_us: None,
            period_us: 100_000
        })
    );
    assert_eq!(
        cpu::max_v2(b"50000 100000\n"),
        Ok(cpu::Bandwidth {
            quota_us: Some(50_000),
            period_us: 100_000
        })
    );
    assert_eq!(cpu::quota_v1(b"-1\n"), Ok(None));
    assert_eq!(cpu::quota_v1(b"20000\n"), Ok(Some(20_000)));
    assert!(cpu::quota_v1(b"-2\n").is_err());
    assert!(cpu::max_v2(b"max\n").is_err());
}

#[test]
fn schedstat_field_one_is_the_time_on_cpus() {
    assert_eq!(cpu::schedstat_run_ns(b"2150371 87714 1\n"), Ok(2_150_371));
}

#[test]
fn v1_memory_stat_is_that_of_the_whole_subtree() {
    let content = b"cache 1\ninactive_anon 1\nactive_anon 1\ninactive_file 1\nactive_file 1\nunevictable 1\n\
        hierarchical_memory_limit 9223372036854771712\ntotal_inactive_anon 237752320\ntotal_active_anon 1675264\n\
        total_inactive_file 224800768\ntotal_active_file 118349824\ntotal_unevictable 20795392\n";
    let expected = memory::Stat {
        inactive_anon: 237_752_320,
        active_anon: 1_675_264,
        inactive_file: 224_800_768,
        active_file: 118_349_824,
        unevictable: 20_795_392,
    };
    assert_eq!(memory::stat_v1(content), Ok(expected));
    assert_eq!(memory::stat_v2(content).unwrap().inactive_anon, 1);
}

#[test]
fn a_v1_limit_at_the_page_counters_maximum_is_none_on_every_page_size() {
    assert_eq!(memory::limit_v1(b"9223372036854771712\n"), Ok(None)); // 4 KiB pages
    assert_eq!(memory::limit_v1(b"9223372036854710272\n"), Ok(None)); // 64 KiB pages
    assert_eq!(memory::limit_v1(b"9223372036854775807\n"), Ok(None)); // before 3.19
    assert_eq!(memory::limit_v1(b"52428800\n"), Ok(Some(52_428_800)));
}

#[test]
fn numbers_may_be_max_only_where_the_kernel_writes_it() {
    assert_eq!(number_or_max("memory.max", b"max\n"), Ok(None));
    assert_eq!(number("memory.current", b"4096\n"), Ok(4096));
    let error = number("memory.current", b"max\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "memory.current: found \"max\\n\", expected an integer"
    );
    assert!(number("x", b"18446744073709551616\n").is_err());
    assert!(number("x", b"").is_err());
}

#[test]
fn oom_kills_are_read_from_both_versions_and_absent_on_old_kernels() {
    assert_eq!(
        memory::oom_kills(b"low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"),
        Ok(Some(2))
    );
    assert_eq!(
        memory::oom_kills(b"oom_kill_disable 0\nunder_oom 0\noom_kill 5\n"),
        Ok(Some(5))
    );
    assert_eq!(
        memory::oom_kills(b"oom_kill_disable 0\nunder_oom 0\n"),
        Ok(None)
    );
}

#[test]
fn pressure_totals_are_nanoseconds_and_full_may_be_missing() {
    let content = b"some avg10=23.17 avg60=6.89 avg300=2.52 total=21887864\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
    assert_eq!(
        pressure::pressure(content),
        Ok(pressure::Pressure {
            some_ns: 21_887_864_000,
            full_ns: Some(7_000)
        })
    );
    let old = b"some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n";
    assert_eq!(
        pressure::pressure(old),
        Ok(pressure::Pressure {
            some_ns: 5_000,
            full_ns: None
        })
    );
    assert_eq!(
        pressure::pressure(b"full total=5\n"),
        Err(ParseError::Missing { key: "some" })
    );
}

#[test]
fn numa_stat_is_found_by_key_with_gaps_in_the_node_ids() {
    let v2 = b"anon N0=4096 N2=8192\nfile N0=1 N2=2\n";
    let nodes = memory::numa_stat(v2, "anon").unwrap();
    assert_eq!(
        nodes
            .iter()
            .map(|node| (node.node, node.amount))
            .collect::<Vec<_>>(),
        [(0, 4096), (2, 8192)]
    );
    let v1 = b"total=5487 N0=5487\nfile=36 N0=36\n";
    assert_eq!(memory::numa_stat(v1, "total").unwrap()[0].amount, 5487);
    assert_eq!(
        memory::numa_stat(v1, "anon"),
        Err(ParseError::Missing { key: "anon" })
    );
}

#[test]
fn cpu_lists_expand_to_ascending_sets() {
    assert_eq!(
        cpuset::list(b"0-3,8,10-11\n"),
        Ok(vec![0, 1, 2, 3, 8, 10, 11])
    );
    assert_eq!(cpuset::list(b"3,1-2,2\n"), Ok(vec![1, 2, 3]));
    assert_eq!(cpuset::list(b"\n"), Ok(vec![]));
    assert!(cpuset::list(b"3-1\n").is_err());
    assert!(cpuset::list(b"0-4294967295\n").is_err());
}
