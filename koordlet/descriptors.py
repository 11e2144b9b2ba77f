"""The limit on open files, which bounds how many cgroup files the agent keeps open between two readings."""

import resource

WANTED = 262_144
"""Room for every file of 10,000 cgroups; far below the kernel's own bound (fs.nr_open, 1,048,576)."""


def raise_descriptor_limit() -> int:
    """Allow this process as many descriptors as it may have, at most WANTED; the limit that now holds.

    Beyond the hard limit this takes CAP_SYS_RESOURCE. Files that find no room are opened for each reading.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= WANTED:
        return WANTED
    if hard == resource.RLIM_INFINITY or hard >= WANTED:
        resource.setrlimit(resource.RLIMIT_NOFILE, (WANTED, hard))
        return WANTED
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (WANTED, WANTED))
    except ValueError:  # what Python makes of EPERM here
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard
    return WANTED
