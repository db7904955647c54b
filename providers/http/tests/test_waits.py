"""How long a server asks us to wait, however it says it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_provider_http.waits import asked_wait

DATE = {"date": "Mon, 30 Nov 2026 10:00:00 GMT"}
EPOCH = 1_796_032_800
"""The same point in time."""


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"}, 0.12),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s"}, 179.56),
        ({"x-ratelimit-remaining-requests": "7", "x-ratelimit-reset-requests": "6m0s"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "9s",
            },
            9.0,
        ),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2026-11-30T10:00:12Z",
            },
            12.0,
        ),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{EPOCH + 30}000"}, 30.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH + 5)}, 5.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "2.5"}, 2.5),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(EPOCH - 100)}, 0.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "never"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "30s", "retry-after": "2"}, 2.0),
    ],
)  # fmt: skip
def test_limits_that_are_used_up_tell_when_they_come_back(headers: Mapping[str, str], wait: float | None) -> None:
    found = asked_wait({**DATE, **headers}, None, "")
    assert found == (None if wait is None else pytest.approx(wait))


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "retry-after",
                "retry-after-ms",
                "date",
                "x-ratelimit-reset",
                "x-ratelimit-remaining",
                "x-ratelimit-reset-a",
            ]
        ),
        st.text(max_size=12) | st.sampled_from(["0", "1e999", "9" * 40, "Mon, 30 Nov 2026 10:00:00 GMT", "9999-99-99"]),
    ),
    st.text(max_size=40),
)
def test_any_headers_give_a_wait_of_at_most_a_month_or_none(headers: dict[str, str], text: str) -> None:
    wait = asked_wait(headers, None, text)
    assert wait is None or 0 <= wait <= 31 * 86_400
