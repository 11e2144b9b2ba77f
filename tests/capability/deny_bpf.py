"""`deny_bpf.py COMMAND…`: run a command under a seccomp filter that answers bpf(2) with EPERM."""

import ctypes
import errno
import os
import platform
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW = 0x00050000, 0x7FFF0000
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
BPF_SYSCALL = {"x86_64": 321, "aarch64": 280}


class Instruction(ctypes.Structure):
    """struct sock_filter."""

    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_uint16), ("filter", ctypes.POINTER(Instruction))]


def deny_bpf() -> None:
    """Install the filter for this process and what it executes. OSError when the kernel refuses it."""
    instructions = (Instruction * 4)(
        Instruction(LOAD_WORD, 0, 0, 0),  # seccomp_data.nr
        Instruction(JUMP_IF_EQUAL, 0, 1, BPF_SYSCALL[platform.machine()]),
        Instruction(RETURN, 0, 0, SECCOMP_RET_ERRNO | errno.EPERM),
        Instruction(RETURN, 0, 0, SECCOMP_RET_ALLOW),
    )
    program = Program(len(instructions), instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0),
    ):
        if libc.prctl(*arguments) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), "prctl")


if __name__ == "__main__":
    deny_bpf()
    os.execvp(sys.argv[1], sys.argv[1:])
