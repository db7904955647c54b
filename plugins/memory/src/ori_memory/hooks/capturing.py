"""Candidates of a session into the inbox: with their source, once each, without secrets, never among the notes."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import sys
from pathlib import Path

from attrs import evolve

from aries_kernel.atomic import create_file, remove_abandoned
from aries_kernel.broker.secrets import Redactor, secret_values
from ori_memory.hooks.claims import Claim, claims_in
from ori_memory.hooks.known import Known
from ori_memory.hooks.payload import Payload
from ori_memory.hooks.transcripts import Said, said_in, said_in_file
from ori_memory.notes.naming import file_name
from ori_memory.operations.own_writes import noted_down
from ori_memory.operations.visible_lines import without_secrets
from ori_memory.vault.vault import Vault

__all__ = ["capture_session"]

_MOST = 5
_MOST_ANSWERS = 30
_LONGEST_TITLE, _LONGEST_DESCRIPTION = 110, 200
_PREFIX = re.compile(
    r"(?i)^(?:and |so |also |but |please |okay,? |ok,? )*(?:remember|note|keep in mind|don'?t forget|do not forget)"
    r"(?: that|:|,)?\s+|^(?:decision|important|lesson|takeaway|gotcha|caveat):\s*"
)


def capture_session(vault: Vault, payload: Payload, client: str) -> tuple[str, ...]:
    """Write the candidates of the session that `payload` tells of; gives the paths of what was written.

    No lock is waited for: a name is taken or it is not, and a client waits for its hook.
    """
    said = _said(payload)
    _teach(vault, payload, client, said)
    claims = [_redacted(claim) for claim in claims_in(said, _MOST)]
    known = Known(vault)
    fresh = [claim for claim in claims if not known.holds(claim.text)]
    folder = vault.locate("inbox")
    if fresh:
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(folder)
    # What it cites was counted where it was said, and no other session wrote it.
    with noted_down(vault) if fresh else contextlib.nullcontext():
        paths = tuple([vault.relative(_written(folder, claim, payload, client)) for claim in fresh])
    known.remember([claim.text for claim in claims])
    return paths


def _teach(vault: Vault, payload: Payload, client: str, said: list[Said]) -> None:
    """Notes that were cited or repeated proved useful; whoever asks next looks at that, the client waits for this."""
    from ori_memory.learning.spool import Spool
    from ori_memory.memory import Memory

    answers = [one.text for one in said if not one.is_user][-_MOST_ANSWERS:]
    with Memory.open(vault, session=payload.session) as memory:
        if not answers or not (Spool(vault.state_folder).has_notes or memory.has_learned):
            return
        for text in answers:
            memory.said(text, client=client)
        memory.teaching.write_down()
        for told in memory.take_warnings():
            sys.stderr.write(f"ori: {told}\n")


def _said(payload: Payload) -> list[Said]:
    """From the transcript, where there is one, and from the payload itself."""
    said: list[Said] = []
    if payload.transcript:
        try:
            said = said_in_file(Path(payload.transcript).expanduser())
        except OSError as error:
            sys.stderr.write(f"ori: the transcript cannot be read: {error}\n")
    if not said:
        said = list(said_in(payload.data))
    asked = payload.data.get("input-messages")
    said += [Said(True, one) for one in asked if isinstance(one, str)] if isinstance(asked, list) else []
    last = payload.data.get("last_assistant_message") or payload.data.get("last-assistant-message")
    return [*said, *([Said(False, last)] if isinstance(last, str) else [])]


def _redacted(claim: Claim) -> Claim:
    redact = Redactor(secret_values(os.environ))
    text, context = (" ".join(without_secrets([redact(one)])) for one in (claim.text, claim.context))
    return evolve(claim, text=text, context=context)


def _written(folder: Path, claim: Claim, payload: Payload, client: str) -> Path:
    title = _title(claim.text)
    data = _text(claim, title, payload, client).encode("utf-8", "replace")
    taken = {file.name.lower() for file in folder.iterdir()}
    while True:
        path = folder / file_name(title, lambda name: name.lower() in taken)
        try:
            create_file(path, [data])
        except FileExistsError:
            taken.add(path.name.lower())
        else:
            return path


def _text(claim: Claim, title: str, payload: Payload, client: str) -> str:
    """A note without a template: promoting it gives it what its template asks. JSON is YAML."""
    source = {"client": client, "session": payload.session, "file": Path(payload.transcript).name}
    head = {
        "description": _cut(claim.text, _LONGEST_DESCRIPTION).rstrip("."),
        "type": claim.type,
        "project": [],
        "status": "inbox",
        "id": os.urandom(8).hex(),
        "title": title,
        "created": None,
        "tags": ["captured"],
        "source": {name: value for name, value in source.items() if value},
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    lines[list(head).index("created")] = f"created: {datetime.datetime.now().astimezone().date()}"
    who = "the person" if claim.is_user else "the agent"
    body = f"{claim.context}\n\nSaid by {who} in a session with {client}; captured, not yet looked at."
    return "\n".join(["---", *lines, "---", "", f"# {title}", "", body, ""])


def _title(text: str) -> str:
    bare = _PREFIX.sub("", text).strip().rstrip(".。!")
    return _cut(bare[:1].upper() + bare[1:], _LONGEST_TITLE)


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(",;: ") + "…"
