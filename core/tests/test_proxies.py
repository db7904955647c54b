"""Proxies of the environment."""

from __future__ import annotations

import pytest

from aries_kernel.proxies import is_this_machine, proxy_for

ALL = {"ALL_PROXY": "http://p:1", "https_proxy": "q:2"}


@pytest.mark.parametrize(
    ("place", "environ", "wanted"),
    [
        (("http", "example.com", 80), ALL, ("ALL_PROXY", "http://p:1")),
        (("https", "example.com", 443), ALL, ("https_proxy", "http://q:2")),
        (("https", "localhost", 3000), ALL, None),
        (("http", "127.0.0.1", 80), ALL, None),
        (("http", "::1", 80), ALL, None),
        (("http", "a.example.com", 80), {**ALL, "no_proxy": "example.com"}, None),
        (("http", "a.example.com", 81), {**ALL, "NO_PROXY": "example.com:80"}, ("ALL_PROXY", "http://p:1")),
        (("http", "10.1.2.3", 80), {**ALL, "NO_PROXY": "10.0.0.0/8"}, None),
        (("http", "2001:db8::1", 80), {**ALL, "NO_PROXY": "[2001:db8::1]:80"}, None),
        (("http", "example.com", 80), {"HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"}, None),
    ],
)
def test_a_server_has_the_proxy_that_is_named_for_it(
    place: tuple[str, str, int], environ: dict[str, str], wanted: tuple[str, str] | None
) -> None:
    assert proxy_for(*place, environ) == wanted


def test_names_that_only_sound_like_this_machine_are_others() -> None:
    assert not any(map(is_this_machine, ("localhost.example", "127.0.0.1.example", "192.168.1.2")))
