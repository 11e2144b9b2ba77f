"""Who may see state."""

import pytest

from koordlet.serve.server import is_local


@pytest.mark.parametrize(
    "address", ["", "/run/koord/koordlet.sock", b"\0x", ("127.0.0.1", 9316), ("127.0.0.2", 1), ("::1", 9316, 0, 0)]
)
def test_loopback_and_unix_sockets_are_local(address):
    assert is_local(address)


@pytest.mark.parametrize(
    "address", [("10.0.0.5", 9316), ("fe80::1%eth0", 9316, 0, 2), ("2001:db8::1", 9316, 0, 0), None]
)
def test_other_addresses_are_not(address):
    assert not is_local(address)
