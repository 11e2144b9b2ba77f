//! Reads and writes cgroup files of v1, v2 and hybrid hosts.
