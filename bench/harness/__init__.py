"""What the benchmarks share: results and their printing, timing, cgroups and processes to measure on."""
