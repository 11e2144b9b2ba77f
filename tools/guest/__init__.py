"""Guests for tests: another kernel under qemu, on this machine's own root file system mounted read-only."""
