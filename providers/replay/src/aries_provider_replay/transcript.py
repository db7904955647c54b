"""The transcript: one answer a line, as JSON, or a session log as aries writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import attrs
from attrs import fields, frozen

from aries_kernel.errors import UserError
from aries_kernel.model.messages import AssistantMessage, Reasoning, StopReason, Text, ToolCall
from aries_kernel.structuring import problems_of, strict_converter

__all__ = ["Answer", "Piece", "Tokens", "read_transcript"]

ErrorKind = Literal[
    "rate_limited",
    "overloaded",
    "network_down",
    "auth_refused",
    "quota_exhausted",
    "context_overflow",
    "request_refused",
]


@frozen
class Piece:
    """Part of an answer: exactly one of text, reasoning, call, wait."""

    text: str | None = None
    reasoning: str | None = None
    call: str | None = None
    """The tool's name; `arguments` is an object, or a text that is sent as it is, valid JSON or not."""
    arguments: object = None
    id: str | None = None
    """The id that the server would have given the call."""
    wait: float | None = None
    """Seconds of silence."""


@frozen
class Tokens:
    """Tokens that the answer reports."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0


@frozen
class Answer:
    """One attempt of the model: pieces, then a stop, a cut or an error."""

    pieces: tuple[Piece, ...] = ()
    stop: Literal["end", "length", "filtered", "other"] = "end"
    cut: bool = False
    """The stream ends without a stop reason."""
    error: ErrorKind | None = None
    message: str = ""
    after: float | None = None
    """Seconds that an error asks to wait."""
    usage: Tokens | None = None

    @property
    def counts(self) -> bool:
        """Whether it becomes part of the history, so that the next request is another one."""
        is_whole = not self.cut and self.error is None
        has_text = any((piece.text or "").strip() for piece in self.pieces)
        return is_whole and (has_text or any(piece.call for piece in self.pieces) or self.stop == "filtered")


def read_transcript(path: Path) -> tuple[Answer, ...]:
    """All answers.

    Raises: UserError naming file and line of everything that is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"The transcript {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"The transcript {path} is not UTF-8 text.") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if lines and '"type":"Opened"' in lines[0][1].replace(" ", ""):
        return tuple(_from_session(path))
    problems: list[str] = []
    answers = [_read_line(path, number, line, problems) for number, line in lines]
    if not lines:
        problems.append(f"The transcript {path} is empty; it needs one answer a line.")
    if problems:
        raise UserError("\n".join(problems))
    return tuple(answers)


def _read_line(path: Path, number: int, line: str, problems: list[str]) -> Answer:
    try:
        answer = strict_converter().structure(json.loads(line), Answer)
    except ValueError as error:
        problems.append(f"{path}:{number}: is not JSON: {error}.")
    except ExceptionGroup as error:
        problems += (f"{path}:{number}: {'.'.join(at)} {text or _unknown(at)}." for at, text in problems_of(error))
    else:
        problems += (f"{path}:{number}: piece {index} {text}." for index, text in _wrong_pieces(answer.pieces))
        return answer
    return Answer()


def _unknown(at: Sequence[str]) -> str:
    shape = Answer if len(at) == 1 else {"pieces": Piece, "usage": Tokens}[at[0]]
    return f"is unknown; known here: {', '.join(attribute.name for attribute in fields(shape))}"


def _wrong_pieces(pieces: Sequence[Piece]) -> Iterator[tuple[int, str]]:
    for index, piece in enumerate(pieces, start=1):
        given = [name for name in ("text", "reasoning", "call", "wait") if getattr(piece, name) is not None]
        if len(given) != 1:
            yield index, f"must hold one of text, reasoning, call, wait, not {' and '.join(given) or 'none of them'}"
        elif piece.arguments is not None and not isinstance(piece.arguments, str | dict):
            yield index, "must give its arguments as an object or as a raw text"


def _from_session(path: Path) -> Iterator[Answer]:
    from aries_kernel.session.entries import Answered, AttemptFailed
    from aries_kernel.session.log import read_log

    for line in read_log(path):
        if isinstance(line.entry, Answered):
            yield _from_message(line.entry.message)
        elif isinstance(line.entry, AttemptFailed):
            yield Answer(cut=True, message=line.entry.reason)


def _from_message(message: AssistantMessage) -> Answer:
    pieces = []
    for part in message.parts:
        match part:
            case Text():
                pieces.append(Piece(text=part.text))
            case Reasoning():
                pieces.append(Piece(reasoning=part.text))
            case ToolCall():
                pieces.append(Piece(call=part.name, arguments=part.arguments, id=part.wire_id))
    stops: dict[StopReason, Literal["end", "length", "filtered", "other"]] = {
        StopReason.END: "end",
        StopReason.LENGTH: "length",
        StopReason.FILTERED: "filtered",
        StopReason.OTHER: "other",
    }
    return Answer(tuple(pieces), stops[message.stop], usage=Tokens(**attrs.asdict(message.usage)))
