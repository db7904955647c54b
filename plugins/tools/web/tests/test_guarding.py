"""Which machines may be asked."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import ToolFailed
from aries_tool_web.addresses import parse_address
from aries_tool_web.guarding import Guard, Reach, reach_of

PUBLIC = ("1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1")
PRIVATE = (
    "127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "::1",
    "::", "fd12::1", "fc00::1", "fec0::1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1",
    "192.0.2.1",
)  # fmt: skip
CLOSED = (
    "169.254.169.254", "169.254.1.1", "fe80::1", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "224.0.0.1",
    "ff02::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        *((one, Reach.PUBLIC) for one in PUBLIC),
        *((one, Reach.PRIVATE) for one in PRIVATE),
        *((one, Reach.CLOSED) for one in CLOSED),
    ],
)
def test_an_address_leads_as_far_as_the_one_in_it(text: str, reach: Reach) -> None:
    assert reach_of(ip_address(text)) is reach


@given(st.ip_addresses())
def test_an_address_that_is_called_public_is_global_by_the_registry(ip: object) -> None:
    found = ip_address(str(ip))
    if reach_of(found) is Reach.PUBLIC:
        assert found.is_global and not (
            found.is_private or found.is_loopback or found.is_multicast or found.is_link_local
        )


@pytest.mark.parametrize("host", ["rebound.example", "evil.com"])
def test_a_public_name_that_is_at_a_private_address_is_not_asked(host: str) -> None:
    address = parse_address(f"http://{host}/")
    with pytest.raises(ToolFailed, match=r"is at 127\.0\.0\.1, .*web\.private_hosts"):
        Guard().usable(address, [ip_address("127.0.0.1")])
    assert Guard((host,)).usable(address, [ip_address("127.0.0.1")]) == [ip_address("127.0.0.1")]
    assert Guard(("*.example", "EVIL.*")).usable(address, [ip_address("10.0.0.1")])


def test_of_several_addresses_only_the_public_ones_are_asked() -> None:
    found = [ip_address("10.0.0.1"), ip_address("1.1.1.1"), ip_address("169.254.169.254")]
    assert Guard().usable(parse_address("http://two.example/"), found) == [ip_address("1.1.1.1")]


@pytest.mark.parametrize(
    "host", ["localhost", "app.localhost", "nas", "printer.local", "db.internal", "127.0.0.1", "[::1]"]
)
def test_a_name_that_says_it_is_near_may_be_near(host: str) -> None:
    address = parse_address(f"http://{host}:3000/")
    assert Guard().usable(address, [ip_address("192.168.1.2")])


@pytest.mark.parametrize(
    "host", ["localhost", "metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "rebound.example"]
)
def test_the_services_of_a_cloud_are_only_asked_where_the_settings_name_them(host: str) -> None:
    address = parse_address(f"http://{host}/latest/meta-data/")
    with pytest.raises(ToolFailed, match="nothing was sent"):
        Guard().usable(address, [ip_address("169.254.169.254")])
    assert Guard((host,)).usable(address, [ip_address("169.254.169.254")])


@pytest.mark.parametrize(
    "target", ["http://localhost/", "http://10.0.0.1/", "http://0x7f.1/", "http://[::1]/", "http://nas/"]
)
def test_a_public_page_does_not_lead_into_this_network(target: str) -> None:
    public, near = parse_address("https://example.com/"), parse_address(target)
    with pytest.raises(ToolFailed, match="not of the public net"):
        Guard().check_redirect(public, near)
    Guard().check_redirect(near, public)
    Guard().check_redirect(parse_address("http://localhost:3000/"), near)
    Guard((near.host,)).check_redirect(public, near)
