//! Any bytes give a value or a named error; what the kernel writes comes back as written.

use std::path::Path;

use koord_cgroup::Mounts;
use koord_cgroup::parse::{cpu, cpuset, memory, number, number_or_max, pressure};
use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes that look like a cgroup file: the kernel's words and separators, numbers, and noise.
fn file_like() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &[&str] = &[
        "usage_usec",
        "user_usec",
        "system_usec",
        "nr_periods",
        "nr_throttled",
        "throttled_time",
        "throttled_usec",
        "nr_bursts",
        "burst_usec",
        "some",
        "full",
        "total=",
        "anon",
        "N0=",
        "N",
        "=",
        "oom_kill",
        "max",
        "-",
        ",",
        " ",
        "\n",
        "0:33",
        "/",
        "\\0",
        "\\040",
        "cgroup",
        "cgroup2",
        "18446744073709551615",
        "18446744073709551616",
        "7",
    ];
    let word = proptest::sample::select(WORDS).prop_map(|word| word.as_bytes().to_vec());
    let noise = vec(any::<u8>(), 0..4);
    vec(prop_oneof![8 => word, 1 => noise], 0..60).prop_map(|parts| parts.concat())
}

fn errors_of(content: &[u8]) -> Vec<String> {
    let text = |error: koord_cgroup::parse::ParseError| error.to_string();
    [
        cpu::stat_v1(content).err().map(text),
        cpu::stat_v2_usage(content).err().map(text),
        cpu::stat_v2_throttling(content).err().map(text),
        cpu::max_v2(content).err().map(text),
        cpu::quota_v1(content).err().map(text),
        cpu::schedstat_run_ns(content).err().map(text),
        memory::stat_v1(content).err().map(text),
        memory::stat_v2(content).err().map(text),
        memory::limit_v1(content).err().map(text),
        memory::oom_kills(content).err().map(text),
        memory::numa_stat(content, "anon").err().map(text),
        pressure::pressure(content).err().map(text),
        cpuset::list(content).err().map(text),
        number("memory.current", content).err().map(text),
        number_or_max("memory.max", content).err().map(text),
    ]
    .into_iter()
    .flatten()
    .collect()
}

proptest! {
    #[test]
    fn any_bytes_give_values_or_named_errors(content in prop_oneof![file_like(), vec(any::<u8>(), 0..200)]) {
        for error in errors_of(&content) {
            prop_assert!(error.contains('"') && error.len() < 400, "{error}");
        }
        let _ = Mounts::parse(&content, None);
        let _ = Mounts::parse(&content, Some(Path::new("/sys")));
    }

    #[test]
    fn v2_cpu_stat_round_trips(usage in 0..=u64::MAX / 1000, user in 0..=u64::MAX / 1000, system in 0..=u64::MAX / 1000) {
        let content = format!("usage_usec {usage}\nuser_usec {user}\nsystem_usec {system}\n");
        let parsed = cpu::stat_v2_usage(content.as_bytes()).unwrap();
        prop_assert_eq!((parsed.usage_ns, parsed.user_ns, parsed.system_ns), (usage * 1000, user * 1000, system * 1000));
    }

    #[test]
    fn pressure_round_trips(some in 0..=u64::MAX / 1000, full in proptest::option::of(0..=u64::MAX / 1000)) {
        let mut content = format!("some avg10=0.00 avg60=1.00 avg300=99.99 total={some}\n");
        if let Some(full) = full {
            content += &format!("full avg10=0.00 avg60=1.00 avg300=99.99 total={full}\n");
        }
        let parsed = pressure::pressure(content.as_bytes()).unwrap();
        prop_assert_eq!((parsed.some_ns, parsed.full_ns), (some * 1000, full.map(|us| us * 1000)));
    }

    #[test]
    fn cpu_lists_give_their_members_ascending(members in proptest::collection::btree_set(0_u32..2000, 0..60)) {
        let text: Vec<String> = members.iter().map(u32::to_string).collect();
        prop_assert_eq!(cpuset::list(text.join(",").as_bytes()).unwrap(), members.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn numbers_round_trip(value: u64) {
        prop_assert_eq!(number("x", format!("{value}\n").as_bytes()), Ok(value));
    }
}
