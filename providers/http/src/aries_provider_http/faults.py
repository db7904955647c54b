"""What a server says when it refuses, as the error class that tells the loop what to do."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    EmptyAnswer,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from aries_provider_http.waits import asked_wait

__all__ = ["Fault", "FaultClassifier", "fault_in", "fault_of", "one_line"]

_SHOWN = 400
_OVERFLOW = re.compile(
    r"context[_ ]length[_ ]exceeded|request_too_large|model_context_window_exceeded|context_window_exceeded"
    r"|(?:prompt|input|conversation|messages?) (?:is |are )?too (?:long|large)"
    r"|tokens \+ .{0,3}max_new_tokens|exceed max message tokens"
    r"|input token count.{0,60}exceeds|input length.{0,40}exceed|input tokens exceed"
    r"|maximum (?:prompt|context|model|input) length|max(?:imum)?[_ ]?(?:model|context)[_ ]?len"
    r"|exceed(?:s|ed|ing)? (?:the |your |this |its |our )?(?:model(?:'s)? )?(?:maximum |max |available |allowed )?"
    r"(?:context|token limit|model token limit|prompt token)"
    r"|exceed(?:s|ed) (?:the )?limit of \d+|context (?:window|size|length) (?:is |has been )?exceed"
    r"|too large for model with|larger than (?:the )?(?:model's )?context|context window (?:of|is full)"
    r"|reduce the length of (?:the |your )?(?:messages|prompt|input)"
    r"|greater than the context length|fit (?:in|into|within) the context"
    r"|tokens? (?:to keep|in the prompt).{0,60}context",
    re.IGNORECASE | re.DOTALL,
)
_OUTPUT_LIMIT = re.compile(
    r"max(?:_completion|_output|_new)?_tokens\W{0,3}(?: is)? too (?:large|high|big)", re.IGNORECASE
)
"""Too much is asked for, not said: a shorter conversation does not help."""
_RATE = re.compile(
    r"rate[ _-]?limit|too many requests|tokens? per (?:min|sec|hour|day)|requests? per (?:min|sec|hour|day)"
    r"|\b[tr]p[mds]\b|throttl|resource[_ ]exhausted|quota",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|billing_(?:hard_limit|not_active|error)|billing hard limit"
    r"|credit balance is too low|out of credits|never purchased credits|requires more credits|payment required"
    r"|account.{0,20}(?:deactivated|suspended|overdue|arrears)|perday|limit: 0(?![.\d])"
    r"|(?:requests|tokens) per day|\b[rt]pd\b|daily (?:quota|limit|request)|free-models-per-day",
    re.IGNORECASE,
)
_SOFT_QUOTA = re.compile(r"exceeded (?:your|the) current quota|quota (?:is )?(?:exceeded|exhausted)", re.IGNORECASE)
_BAD_KEY = re.compile(
    r"(?:invalid|incorrect|expired|missing|revoked|malformed|no)[ _](?:api[ _]?key|token|authentication|credentials?)"
    r"|api[ _]?key (?:not valid|is invalid|expired|not found)|authentication[_ ](?:error|failed)|unauthori[sz]ed",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"moderation|flagged|policy|safety|content[ _]?filter|prohibited|country|region|territory|terms of"
    r"|does not have access to (?:the )?model|model_not_found|not allowed to (?:use|sample)",
    re.IGNORECASE,
)
_BUSY = re.compile(
    r"overload|capacity|unavailable|server[_ ]?(?:error|busy)|internal[_ ]error|internal server|try again|timed? ?out"
    r"|upstream|loading model|bad gateway|connection|temporar",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"invalid[_ ]request|bad[_ ]request|not[_ ]found|unsupported|not supported|invalid_", re.IGNORECASE
)
_NO_MODEL = re.compile(r"\bmodel\b|deployment|endpoints found", re.IGNORECASE)
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.{1,300}?)</title", re.IGNORECASE | re.DOTALL)
_RETRIABLE = frozenset({408, 409, 425, 429})
_FINAL_5XX = frozenset({501, 505, 510, 511})


@frozen
class Fault:
    """A refusal, read but not yet judged."""

    status: int | None
    """None inside a stream, where the record names none."""
    message: str
    code: str = ""
    """All of its code, type, status and reason words."""
    param: str = ""
    details: object = None
    headers: Mapping[str, str] = field(factory=dict)
    """Names in lower case."""
    is_empty: bool = False
    failed_generation: str = ""

    @property
    def words(self) -> str:
        """Everything it says, to look for known phrases in."""
        return f"{self.code} {self.message}"


def fault_of(status: int, headers: Mapping[str, str], body: bytes) -> Fault:
    """Read an answer whose status is an error."""
    text = body.decode("utf-8", errors="replace").strip().removeprefix("\ufeff")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None  # Not JSON: a page or a sentence, shown as such.
    found = _fault(record, status, headers) if isinstance(record, Mapping | list) else None
    return found or Fault(status, _page_text(text), headers=headers, is_empty=not text)


def fault_in(record: object, headers: Mapping[str, str]) -> Fault | None:
    """The refusal that a record inside a good answer holds; None where it holds none."""
    if not isinstance(record, Mapping):
        return None
    side = record.get("x_groq")
    if isinstance(side, Mapping) and side.get("error"):
        return _fault({"error": side["error"]}, None, headers)
    choices = record.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping) and choice.get("error"):
            return _fault({"error": choice["error"]}, None, headers)
    if record.get("error"):
        return _fault(record, None, headers)
    says_error = record.get("object") == "error" or record.get("type") == "error"
    is_bare = "choices" not in record and ("message" in record or "detail" in record or "errors" in record)
    return _fault(record, None, headers) if says_error or is_bare else None


def _fault(record: object, status: int | None, headers: Mapping[str, str]) -> Fault | None:
    if isinstance(record, list):
        record = next((one for one in record if isinstance(one, Mapping)), {})
    if not isinstance(record, Mapping):
        return None
    inner = record.get("error")
    if isinstance(inner, str) and inner:
        return Fault(status, one_line(f"{inner} {_said(record)}"), headers=headers)
    source = inner if isinstance(inner, Mapping) else record
    details = source.get("details")
    words = [_word(source.get(name)) for name in ("code", "type", "status", "reason")]
    words += [_word(value) for value in _inner_words(details)]
    return Fault(
        status=status if status is not None else _status_in(source),
        message=_said(source) or one_line(json.dumps(source, ensure_ascii=False)[:2000]),
        code=" ".join(dict.fromkeys(word for word in words if word)),
        param=_word(source.get("param")),
        details=details,
        headers=headers,
        failed_generation=_word(source.get("failed_generation")),
    )


def _said(source: Mapping[str, object]) -> str:
    message = source.get("message") or source.get("detail") or source.get("errors") or ""
    if not isinstance(message, str):
        message = json.dumps(message, ensure_ascii=False)[:4000]
    metadata = source.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    if raw:
        message = f"{message} ({raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)})"
    return one_line(message, 2000)


def _inner_words(details: object) -> Iterable[object]:
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping):
            yield detail.get("reason")
            violations = detail.get("violations")
            for violation in violations if isinstance(violations, list) else ():
                if isinstance(violation, Mapping):
                    yield violation.get("quotaId")


def _status_in(source: Mapping[str, object]) -> int | None:
    for name in ("code", "status", "status_code", "http_code"):
        value = source.get(name)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 400 <= value < 600:
            return value
    return None


def _word(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value)[:4000]


def _page_text(text: str) -> str:
    if not text.lstrip().startswith("<"):
        return one_line(text, 2000)
    title = _TITLE.search(text[:20_000])
    return one_line(html.unescape(title.group(1) if title else _TAG.sub(" ", text[:20_000])), 2000)


def one_line(text: str, limit: int = _SHOWN) -> str:
    """`text` without line ends and control characters, cut to `limit` characters."""
    flat = "".join(char if char.isprintable() else " " for char in text[: limit * 20])
    flat = " ".join(flat.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


@frozen
class FaultClassifier:
    """Judges faults for one server; `redact` takes secrets out of what is shown."""

    server: str
    """Name and host, for messages."""
    redact: Callable[[str], str]
    key_hint: str
    """How the key is set."""
    known_models: Callable[[], tuple[str, ...]]
    version: str = "/v1"
    """How addresses of this wire format end."""

    def error(self, fault: Fault, model: str) -> AriesError:
        """The error to raise; final reasons are looked for before passing ones."""
        verdict = self._final(fault, model) or self._passing(fault)
        if verdict is not None:
            return verdict
        if fault.status is None and not _REFUSED.search(fault.code):
            # A stream that began well and then failed for an unknown reason: the request itself was taken.
            return Overloaded(self._text(fault, "failed in the middle of the answer"), after=_after(fault))
        return RequestRefused(self._text(fault))

    def _final(self, fault: Fault, model: str) -> AriesError | None:
        words, status = fault.words, fault.status
        if status is not None and 300 <= status < 400:
            return self._redirected(fault)
        is_rate = bool(_RATE.search(words)) or status == 429
        if not is_rate and status not in (401, 402) and self._is_overflow(fault):
            return ContextOverflow(self._text(fault))
        if fault.failed_generation or "tool_use_failed" in fault.code:
            made = one_line(self.redact(fault.failed_generation), 1000)
            return EmptyAnswer(self._text(fault) + (f" The model wrote: {made}" if made else ""))
        if status == 402 or _QUOTA.search(words) or (_SOFT_QUOTA.search(words) and _after(fault) is None):
            return QuotaExhausted(self._text(fault) + " Check plan and billing, or choose another model.")
        if fault.headers.get("x-should-retry", "").strip().lower() == "true":
            return None
        if status == 401 or (status in (400, 403, None) and _BAD_KEY.search(words)):
            return AuthRefused(self._text(fault) + f" {self.key_hint}")
        if status == 403 and not is_rate:
            if _POLICY.search(words):
                return RequestRefused(self._text(fault))
            return AuthRefused(self._text(fault) + f" {self.key_hint}")
        if status == 404 or "model_not_found" in fault.code:
            return RequestRefused(self._text(fault) + self._not_found_hint(fault, model))
        return None

    def _passing(self, fault: Fault) -> AriesError | None:
        status, words, after = fault.status, fault.words, _after(fault)
        should = fault.headers.get("x-should-retry", "").strip().lower()
        if should == "false":
            return RequestRefused(self._text(fault) + " The server says that asking again is of no use.")
        if status == 429 or (_RATE.search(words) and status in (None, 400, 403, 413, 503)):
            if "overloaded" in words.lower() or "capacity" in words.lower():
                return Overloaded(self._text(fault), after=after)
            return RateLimited(self._text(fault), after=after)
        is_passing = status is not None and (status in _RETRIABLE or (status >= 500 and status not in _FINAL_5XX))
        if should == "true" or is_passing or (status is None and _BUSY.search(words)):
            return Overloaded(self._text(fault), after=after)
        return None

    def _is_overflow(self, fault: Fault) -> bool:
        if fault.status == 413:
            return True
        if _OVERFLOW.search(fault.words):
            return not _OUTPUT_LIMIT.search(fault.words)
        # Cerebras refuses a conversation that is too long with 400 and not a word.
        return fault.status == 400 and fault.is_empty

    def _redirected(self, fault: Fault) -> AriesError:
        target = one_line(self.redact(fault.headers.get("location", "").split("?")[0]), 200) or "nowhere"
        return RequestRefused(
            self.redact(
                f"{self.server} redirects ({fault.status}) to {target}. The key is not sent there; if that address is "
                "the right one, set base_url to it."
            )
        )

    def _not_found_hint(self, fault: Fault, model: str) -> str:
        if not _NO_MODEL.search(fault.words):
            return f" Check base_url: most servers want it to end in {self.version}."
        known = ", ".join(self.known_models())
        listed = f"Known here: {known}." if known else "The server lists its models under base_url + '/models'."
        return f" The model asked for was '{one_line(model, 100)}'. {listed}"

    def _text(self, fault: Fault, did: str = "") -> str:
        status = f"answered {fault.status}" if fault.status is not None else "sent an error"
        code = f" ({one_line(self.redact(fault.code), 120)})" if fault.code and fault.code != str(fault.status) else ""
        message = one_line(self.redact(fault.message)) or "no reason given"
        end = "" if message.endswith((".", "!", "?", "…")) else "."
        return self.redact(f"{self.server} {did or status}{code}: {message}{end}")


def _after(fault: Fault) -> float | None:
    return asked_wait(fault.headers, fault.details, fault.message)
