"""Use of notes, noticed as it happens and written down together: after a minute, and at the end."""

from __future__ import annotations

import contextlib
import datetime
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aries_kernel.errors import AriesError
from ori_memory.learned.events import EVIDENCE_KINDS, Event
from ori_memory.learning.sharing import Sharing
from ori_memory.learning.spool import Spool

if TYPE_CHECKING:
    from ori_memory.index.report import SyncReport
    from ori_memory.memory import Memory

__all__ = ["SECONDS", "Teaching"]

SECONDS = 60.0
"""A process that is killed loses what happened in the last ones."""
_MOST_CHANGED = 20
"""More files at once are another branch, or a restored vault, and nobody's work."""
_MOST_WAITING = 2_000
"""Events that are tried again where they could not be written down."""
_SLACK = 0.001
"""Moments of writes are kept in microseconds."""


class Teaching:
    """What happens in one memory. Nothing here raises for what could not be kept: the memory tells it."""

    def __init__(self, memory: Memory, *, session: str = "", seconds: float = SECONDS) -> None:
        self._memory = memory
        self._session = session or f"library-{memory.make_id()}"
        self._seconds = seconds
        self._spool = Spool(memory.vault.state_folder)
        self._sharing = Sharing(memory)
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._timer: threading.Timer | None = None
        self.on_due: Callable[[], object] = self.write_down
        """Called from another thread when it is time to write down; a server does it where it does all else."""

    @property
    def is_on(self) -> bool:
        """Whether use is noticed here at all."""
        return self._memory.vault.config.learning.enabled

    @property
    def is_waiting(self) -> bool:
        """Whether somebody noted something that nobody has looked at."""
        return self.is_on and (self._spool.has_notes or self._spool.is_due or self._sharing.is_due)

    def asked(self, text: str, note_ids: Sequence[str], *, session: str = "", client: str = "") -> None:
        """A question was answered with these notes, best first, without those that nobody asked for."""
        from ori_memory.retrieval.question import content_words

        words = content_words(text)
        if words:
            self._add("asked", {"words": words, "notes": list(dict.fromkeys(note_ids))}, session, client)

    def opened(self, note_id: str, *, session: str = "", client: str = "") -> None:
        """Somebody read the whole note."""
        self._add("opened", {"note": note_id}, session, client)

    def named(self, note_ids: Iterable[str], *, session: str = "", client: str = "") -> None:
        """Somebody told that these were of use."""
        self._add("named", {"notes": list(note_ids)}, session, client)

    def said(self, text: str, *, session: str = "", client: str = "") -> None:
        """An agent said this, maybe with the help of notes."""
        from ori_memory.learning.said import kept_text

        if self.is_on and (kept := kept_text(text, self._memory.environ)).strip():
            self._add("said", {"text": kept}, session, client)

    def added(self, note_id: str, text: str, *, session: str = "", client: str = "") -> None:
        """Somebody kept a note; its own links and the notes that it names count, not those that ori put in."""
        from ori_memory.learning.said import kept_text

        if self.is_on:
            kept = kept_text(text, self._memory.environ)
            self._add("wrote", {"note": note_id, "is_new": True, "links": [], "text": kept}, session, client)

    def synced(self, report: SyncReport) -> None:
        """A sync saw files that somebody wrote: an editor, an agent's own tool."""
        paths = [(path, True) for path in report.added] + [(path, False) for path in report.changed]
        if not self.is_on or not 0 < len(paths) <= _MOST_CHANGED:
            return
        from ori_memory.learning.arriving import has_arrived, when_git_wrote
        from ori_memory.operations.own_writes import own_writes

        own, moments = own_writes(self._memory.vault), when_git_wrote(self._memory.vault.root)
        for path, is_new in paths:
            status = self._status(path)
            if status is None or has_arrived(status, moments):
                continue
            written = status.st_mtime
            if any(began - _SLACK <= written <= ended + _SLACK for began, ended in own):
                continue
            now = self._memory.now().timestamp()
            at = datetime.datetime.fromtimestamp(max(0.0, min(written, now)), datetime.UTC)
            index = self._memory.index
            leads = {link.target for link in index.outgoing(path)} - {None, path}
            links = {index.note(target).id for target in leads if target} & set(report.connected)
            data = {"note": index.note(path).id, "is_new": is_new, "links": sorted(links), "text": ""}
            if links or not is_new:
                self._add("wrote", data, "files", "", at)

    def write_down(self) -> None:
        """Note down what was noticed, where every process finds it. Waits for nobody."""
        with self._lock:
            events, self._events = self._events, []
            self._stop_timer()
        if not events:
            return
        try:
            self._spool.note(events)
            if any(event.kind in EVIDENCE_KINDS for event in events):
                self._spool.mark()
        except OSError as error:
            self._memory.notice(f"What was found and used was not kept for learning: {error}")
            with self._lock:  # A server goes on, and the disk may take it later; what was noted in part counts once.
                self._events = [*events, *self._events][-_MOST_WAITING:]

    def finish(self) -> None:
        """Keep what was noticed, and learn where there is evidence. Not from another thread."""
        self.write_down()
        if self._spool.is_due or self._sharing.is_due:
            self.learn()

    def learn(self) -> None:
        """Look at all that was noticed, and count what it teaches."""
        from ori_memory.learning.learning import learn_from_journal

        self.write_down()
        try:
            with self._spool.looking():
                with self._spool.taking() as noted:
                    self._memory.learned.record_events(noted)
                self._sharing.take_in()
                learn_from_journal(self._memory)
                self._memory.taught.keep_experience()
                if self._memory.learned_url:
                    from ori_memory.learning.mirroring import fetch_warmth

                    fetch_warmth(self._memory)
            self._sharing.give()
        except (AriesError, OSError) as error:
            self._memory.notice(f"Nothing was learned from what was used: {error}")

    def inherited(self, old_id: str, new_id: str) -> None:
        """A note took another's place: what was learned of the old one holds for it too; several may share one's."""
        try:
            if self.is_on and self._memory.has_learned:
                self._memory.learned.inherit(old_id, new_id)
        except AriesError as error:
            self._memory.notice(f"What was learned of {old_id} was not passed on to {new_id}: {error}")

    def forget(self, note_id: str) -> None:
        """Leave nothing of a note in what other copies of the vault are told, nor here. Raises: OSError, UserError."""
        self._sharing.forget(note_id)
        if self._memory.learned_url:
            from ori_memory.learning.mirroring import forget_here

            forget_here(self._memory, note_id)

    def _add(
        self, kind: str, data: dict[str, Any], session: str, client: str, at: datetime.datetime | None = None
    ) -> None:
        if not self.is_on or self._memory.is_index_temporary:
            return
        with self._lock:
            self._events.append(Event(session or self._session, at or self._memory.now(), kind, data, client))
            if self._timer is None:
                self._timer = threading.Timer(self._seconds, self._due)
                self._timer.daemon = True
                self._timer.start()

    def _due(self) -> None:
        with self._lock:
            self._timer = None
        self.on_due()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _status(self, path: str) -> os.stat_result | None:
        """With times by the clock of the file system, which is not that of the machine where it lies on a network."""
        with contextlib.suppress(OSError):
            return (self._memory.vault.root / path).stat()
        return None
