//! Every cgroup of this node in one pass: rows joined over hierarchies, rates, sources.
