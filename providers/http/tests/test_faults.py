"""Refusals of many servers as error classes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    EmptyAnswer,
    FatalError,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    RetriableError,
)
from aries_provider_http.faults import FaultClassifier, fault_of, one_line

KEY = "sk-very-secret-key"
JUDGE = FaultClassifier(
    "here (x)", lambda text: text.replace(KEY, "[redacted]"), "Set KEY.", lambda: ("gpt-a", "gpt-b")
)


def judged(status: int, body: object = "", **headers: str) -> AriesError:
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JUDGE.error(fault_of(status, named, raw), "gpt-x")


def wait(error: AriesError) -> float | None:
    assert isinstance(error, RetriableError)
    return error.after


def said(message: str, **rest: object) -> dict[str, object]:
    return {"error": {"message": message, **rest}}


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Your request exceeded model token limit: 8192 (requested: 9000)",
        "Please reduce the length of the messages or completion.",
        "the request exceeds the available context size, try increasing it",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "prompt token count of 130000 exceeds the limit of 128000",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "invalid params, context window exceeds limit (2013)",
        "Input is too long for requested model.",
        "This endpoint's maximum context length is 163840 tokens. However, you requested about 200000 tokens.",
        "The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).",
        "Requested token count exceeds the model's maximum context length of 131072 tokens",
        "the input length exceeds the context length",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "Total tokens of image and text exceed max message tokens",
    ],
)
@pytest.mark.parametrize("status", [400, 500])
def test_a_conversation_that_is_too_long_is_recognised(message: str, status: int) -> None:
    assert type(judged(status, said(message))) is ContextOverflow


@pytest.mark.parametrize(
    ("status", "body"),
    [(400, said("x", code="context_length_exceeded")), (413, ""), (400, ""),
     (413, "<html>Request Entity Too Large</html>"), (413, said("x", type="request_too_large"))],
)  # fmt: skip
def test_short_forms_of_too_long_are_recognised(status: int, body: object) -> None:
    assert type(judged(status, body)) is ContextOverflow


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (429, said("Too large for gpt-4o on tokens per min (TPM): Limit 30000. Your input is too long"), RateLimited),
        (413, said("Too large on tokens per minute (TPM): Limit 6000", code="rate_limit_exceeded"), RateLimited),
        (400, said("max_tokens is too large: 200000. At most 16384 completion tokens"), RequestRefused),
        (400, said("'max_tokens' is too large: 9. This model's maximum context length is 8 tokens"), RequestRefused),
        (400, said("Invalid value", type="invalid_request_error"), RequestRefused),
        (400, said("API key not valid. Please pass a valid API key.", status="INVALID_ARGUMENT"), AuthRefused),
        (400, said("bad call", code="tool_use_failed", failed_generation="<function=x>"), EmptyAnswer),
        (401, said("No auth credentials found"), AuthRefused),
        (401, "", AuthRefused),
        (402, said("Insufficient credits"), QuotaExhausted),
        (402, "", QuotaExhausted),
        (403, said("Your input was flagged by moderation"), RequestRefused),
        (403, said("Country, region, or territory not supported"), RequestRefused),
        (403, said("Key has no rights"), AuthRefused),
        (403, said("Key limit exceeded", code="insufficient_quota"), QuotaExhausted),
        (404, said("The model `gpt-x` does not exist", code="model_not_found"), RequestRefused),
        (404, "<html><title>404 Not Found</title></html>", RequestRefused),
        (405, "", RequestRefused),
        (408, "", Overloaded),
        (409, "", Overloaded),
        (429, "", RateLimited),
        (429, said("x", code="insufficient_quota"), QuotaExhausted),
        (429, said("You exceeded your current quota, please check your plan and billing details."), QuotaExhausted),
        (429, said("You exceeded your current quota. Please retry in 34.5s."), RateLimited),
        (429, said("Quota exceeded, limit: 0, model: x. Please retry in 3s"), QuotaExhausted),
        (429, said("Rate limit reached on requests per day (RPD)"), QuotaExhausted),
        (429, said("Rate limit exceeded: free-models-per-day"), QuotaExhausted),
        (429, said("The engine is currently overloaded, please try again later"), Overloaded),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "field required"}]}, RequestRefused),
        (500, "", Overloaded),
        (501, said("not built"), RequestRefused),
        (503, {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}, Overloaded),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, Overloaded),
        (301, "", RequestRefused),
        (418, "teapot", RequestRefused),
    ],
)  # fmt: skip
def test_a_refusal_has_its_class(status: int, body: object, error: type[AriesError]) -> None:
    assert type(judged(status, body)) is error


def google(quota: str) -> list[object]:
    details = [
        {"@type": "google.rpc.QuotaFailure", "violations": [{"quotaId": f"GenerateRequests{quota}PerProject"}]},
        {"@type": "google.rpc.RetryInfo", "retryDelay": "34s"},
    ]
    return [{"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED", "details": details}}]


def test_a_quota_of_a_day_is_final_and_one_of_a_minute_is_not() -> None:
    assert type(judged(429, google("PerDay"))) is QuotaExhausted
    passing = judged(429, google("PerMinute"))
    assert (type(passing), wait(passing)) == (RateLimited, 34.0)


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ({"retry_after": "2"}, 2.0),
        ({"retry_after": " 1.5 "}, 1.5),
        ({"retry_after": "2", "retry_after_ms": "250"}, 0.25),
        ({"retry_after_ms": "soon", "retry_after": "3"}, 3.0),
        ({"retry_after": "0"}, 0.0),
        ({"retry_after": "-5"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "1e9"}, None),
        ({"retry_after": ""}, None),
        ({"retry_after": "Someday, 99 Foo 2026"}, None),
        ({"retry_after": "9" * 250}, 31 * 86_400.0),
        ({"retry_after": "9" * 5000}, None),
        ({"retry_after": "Wed, 21 Oct 2015 07:28:05 GMT", "date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 5.0),
        ({"retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], wanted: float | None) -> None:
    assert wait(judged(429, "", **headers)) == wanted


def test_a_date_to_come_is_a_wait() -> None:
    found = wait(judged(503, "", retry_after=format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)))
    assert found is not None and 3000 < found <= 3601


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("Please retry in 34.5s.", 34.5),
        ("Please try again in 1m20.5s.", 80.5),
        ("Please try again in 500ms.", 0.5),
        ("Try again in 6 minutes.", 360.0),
        ("Retry after 12 seconds", 12.0),
        ("please wait 3s", 3.0),
        ("try again later", None),
        ("try again in 5 moons", None),
    ],
)
def test_the_wait_is_read_from_the_words(message: str, wanted: float | None) -> None:
    assert wait(judged(429, said(message))) == wanted


def test_the_server_s_word_about_asking_again_is_obeyed() -> None:
    assert type(judged(429, said("x"), x_should_retry="false")) is RequestRefused
    assert type(judged(500, said("x"), x_should_retry="FALSE")) is RequestRefused
    again = judged(400, said("odd"), x_should_retry="true", retry_after="1")
    assert (type(again), wait(again)) == (Overloaded, 1.0)
    assert type(judged(400, said("prompt is too long"), x_should_retry="true")) is ContextOverflow


def test_an_unknown_model_lists_the_known_ones() -> None:
    assert "gpt-a, gpt-b" in str(judged(404, said("The model `gpt-x` does not exist")))
    assert "base_url" in str(judged(404, "Not Found"))


def test_a_redirect_is_named_without_its_query() -> None:
    text = str(judged(302, "", location="https://other.example/login?token=1"))
    assert "https://other.example/login" in text and "token" not in text


def test_a_word_that_is_code_and_type_at_once_is_told_once() -> None:
    error = judged(429, said("No.", type="insufficient_quota", code="insufficient_quota"))
    assert str(error).count("insufficient_quota") == 1


def test_a_page_is_cut_to_its_title() -> None:
    page = "<html><head><title>502 Bad\n Gateway</title><style>x{}</style></head>" + "<p>junk</p>" * 9000
    assert str(judged(502, page)) == "here (x) answered 502: 502 Bad Gateway."


def test_the_words_of_the_server_behind_a_relay_are_shown() -> None:
    body = said("Provider returned error", code=400, metadata={"raw": '{"message":"prompt is too long"}'})
    assert type(judged(400, body)) is ContextOverflow


@given(st.sampled_from([200, 302, 400, 401, 403, 404, 413, 429, 500, 529]), st.binary(max_size=200) | st.text().map(
    lambda text: json.dumps({"error": {"message": text + KEY, "code": text, "type": KEY}}).encode()))  # fmt: skip
def test_any_body_gives_one_line_without_the_key(status: int, body: bytes) -> None:
    error = judged(status, body)
    assert isinstance(error, RetriableError | FatalError)
    assert KEY not in str(error) and len(str(error)) < 1000 and len(str(error).splitlines()) == 1


def test_one_line_has_no_control_characters() -> None:
    assert one_line("a\x1b[31m\r\n\tb\x00\u2028c") == "a [31m b c"
