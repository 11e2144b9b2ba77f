"""Where a guest's kernel comes from: this machine's own apt sources, for another release."""

import pytest

from tools.guest.kernels import Source, derived_lines, newest_package, parse_sources

DEB822 = """\
Types: deb
# a comment
URIs: http://archive.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb-src
URIs: http://archive.example/debian
Suites: bookworm
Components: main

Types: deb
Enabled: no
URIs: http://off.example/debian
Suites: bookworm
Components: main
"""
ONE_LINE = """\
# deb http://off.example/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/archive.gpg] http://archive.example/debian bookworm-security main # why
deb-src http://archive.example/debian bookworm main
"""


def test_reads_deb822_sources_without_disabled_and_source_packages():
    key = "/usr/share/keyrings/archive.gpg"
    assert parse_sources(DEB822, deb822=True) == [
        Source("http://archive.example/debian", "bookworm", "main contrib", key),
        Source("http://archive.example/debian", "bookworm-updates", "main contrib", key),
    ]


def test_reads_one_line_sources_without_comments_and_source_packages():
    assert parse_sources(ONE_LINE, deb822=False) == [
        Source("http://archive.example/debian", "bookworm-security", "main", "/usr/share/keyrings/archive.gpg")
    ]


def test_replaces_the_suite_name_and_leaves_other_archives_out():
    sources = [
        Source("http://archive.example/debian", "bookworm", "main", ""),
        Source("http://archive.example/security", "bookworm-security", "main", "/key.gpg"),
        Source("http://tools.example/apt", "nodistro", "main", ""),
        Source("http://tools.example/apt", "sdk-bookworm", "main", ""),
    ]
    assert derived_lines(sources, "bookworm", "bullseye") == [
        "deb [signed-by=/key.gpg] http://archive.example/security bullseye-security main",
        "deb http://archive.example/debian bullseye main",
    ]


@pytest.mark.parametrize(
    ("names", "newest"),
    [
        ([], None),
        (["linux-image-6.12-cloud-amd64", "linux-image-6.12.9+deb12-cloud-amd64-dbg"], None),
        (["linux-image-6.1.0-9-cloud-amd64"], None),
        (
            [
                "linux-image-6.12.9+deb12-cloud-amd64",
                "linux-image-6.12.10+deb12-cloud-amd64-unsigned",
                "linux-image-6.12.10+deb12-cloud-amd64",
                "linux-image-6.12.11+deb12-rt-amd64",
            ],
            "linux-image-6.12.10+deb12-cloud-amd64",
        ),
    ],
)
def test_takes_the_newest_signed_cloud_kernel_of_the_series(names, newest):
    assert newest_package(names, "6.12") == newest
