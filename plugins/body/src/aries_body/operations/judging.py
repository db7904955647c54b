"""Operations that judge code beside the rest of the project; the rows they compare are in `aries_body.judgement`."""

from __future__ import annotations

from attrs import define

from aries_body.judgement.consistency import Reference, compare
from aries_body.judgement.conventions import topic_of, topics_of, uses_of
from aries_body.judgement.duplicates import LEAST_WORDS, THRESHOLD
from aries_body.judgement.places import wanted_of
from aries_body.judgement.snippets import read_snippet
from aries_body.judgement.traits import TOPICS
from aries_body.operations.catalogue import operation
from aries_body.operations.judged import Judged, checked_share, finding_of
from aries_body.operations.paths import UnknownPlace, checked_limit, near_paths, refuse_left_out, relative
from aries_body.operations.results import Found
from aries_body.operations.verdicts import Consistency, Convention, DuplicateRow, Finding, PlaceRow, SimilarRow
from aries_kernel.errors import BadArguments

__all__ = ["Judging"]

_LEAST_LIKE = 0.15


@define(eq=False, repr=False)
class Judging(Judged):
    """A piece of code is a text, the name of a symbol of the project, or the path of a file."""

    @operation()
    def find_similar_patterns(
        self, code_or_symbol: str, limit: int | None = 10, language: str | None = None
    ) -> Found[SimilarRow]:
        """Find definitions that are like a piece of code or a name: by the words of the name, the head, the form."""
        most, _ = checked_limit(limit), self._current()
        asked = self._asked(code_or_symbol, language)
        rows = [self._similar(asked, *one) for one in self._near(asked)]
        rows = [row for row in rows if row.score >= _LEAST_LIKE]
        rows.sort(key=lambda row: (-row.score, row.path, row.line))
        return Found.of(rows, limit=most, note=asked.note)

    @operation()
    def detect_duplication(
        self, code: str, threshold: float = THRESHOLD, limit: int | None = 10, language: str | None = None
    ) -> Found[DuplicateRow]:
        """Find code of the project that a snippet, a symbol or a file repeats, whatever its names and literals.

        A symbol and the functions of a file are not found as duplicates of themselves. A snippet is read in the
        language that fits it best, unless one is named.
        """
        most, share = checked_limit(limit), checked_share(threshold)
        self._current()
        pieces, note = self._pieces(code, language)
        best = self._repeated(pieces, share)
        small = sum(one.piece.size < LEAST_WORDS for one in pieces)
        if small == len(pieces):
            note = f"{note}; " * bool(note) + f"there is too little code to say: fewer than {LEAST_WORDS} words"
        rows = [self._duplicate(name if len(pieces) > 1 else "", one) for name, one in best]
        rows.sort(key=lambda row: (-row.similarity - 0.1 * row.names, row.path, row.line))
        return Found.of(rows, limit=most, note=note)

    @operation()
    def is_consistent_with(self, snippet: str, path: str, language: str | None = None) -> Consistency:
        """Tell whether code follows the customs of a file or folder: names, errors, docs, types, imports, layout.

        Only what the place is clear about counts; what the file itself does somewhere is never held against it.
        """
        self._current()
        target = relative(path, self.project.root)
        own = [target] if target in self.project.rows and self._source(target) else []
        files = own or [one for one in self.project.sources if not target or one.startswith(f"{target}/")]
        if not files:
            refuse_left_out(target, self.project.skipped)
            raise UnknownPlace("file or folder", path, near_paths(target, self.project.rows))
        read = read_snippet(self._library, snippet, language or (self.project.language(own[0]) if own else None))
        family = read.speaker.pack.family
        around = [*own, *(one for one in self._around(own, files) if self._library.family(one) == family)]
        profiles = self._library.profiles()
        traits = self._traits(read, own)
        reference = Reference(
            [trait for one in own for trait in profiles[one].traits], {one: profiles[one].traits for one in around}
        )
        found, checked = compare(traits, reference)
        is_there = bool(own) and self._holds(own[0], snippet)
        found = [] if is_there else found
        findings = [finding_of(one) for one in found]
        if read.note and not is_there:
            broken = Finding("syntax", read.note, "code that can be parsed", 1.0, 0, read.facts.error_line, "")
            findings.insert(0, broken)
            checked += 1
        deviation = len(findings) / checked if checked else 0.0
        note = "" if checked else "nothing that could be compared"
        return Consistency(target or ".", not findings, deviation, tuple(findings), checked, len(around), note)

    @operation()
    def suggest_location(self, description: str, limit: int | None = 5, language: str | None = None) -> Found[PlaceRow]:
        """Rank files that something belongs into, by a description or by its code, each with the reasons."""
        most, view = checked_limit(limit), self._current()
        if not isinstance(description, str) or not description.strip():
            raise BadArguments("There is nothing to find a place for: give a description or code.")
        read = self._code(description, language)
        wanted = wanted_of(description, read)
        family = read.speaker.pack.family if read is not None else None
        alike = self._alike(read) if read is not None else {}
        wants_tests = "test" in wanted.words
        tests = view.graph.tests

        def is_taken(path: str) -> bool:
            return (family is None or self._library.family(path) == family) and (
                wants_tests or view.graph.number[path] not in tests
            )

        found = self._library.atlas().suggest(wanted, alike, is_taken)
        groups = view.communities
        rows = [
            PlaceRow(one.path, round(one.score, 4), one.reasons, groups.groups[groups.of[one.path]].name)
            if one.path in groups.of
            else PlaceRow(one.path, round(one.score, 4), one.reasons)
            for one in found
        ]
        nothing = "" if rows else "no file has anything to do with it"
        return Found.of(rows, limit=most, note=(read.note if read is not None else "") or nothing)

    @operation()
    def find_convention(self, topic: str = "", path: str | None = None, limit: int | None = 20) -> Found[Convention]:
        """Count how the project does something: naming, errors, docs, types, imports, tests, layout, or any word.

        Without a topic all of them. `path`: a folder, a file, or a glob; a topic that is a path is one, too.
        """
        most, view = checked_limit(limit), self._current()
        if path is None and topic and topic_of(topic) is None and self._is_place(topic):
            topic, path = "", topic
        is_taken = self._filter(path)
        known = topic_of(topic) if topic else None
        shares = view.share_of
        if topic and known is None:
            found = uses_of(self.project, self._texts, topic.strip(), is_taken, lambda one: shares.get(one, 0.0))
            note = "" if found else f"nothing is called {topic}; topics: {', '.join(TOPICS)}"
            return Found.of(found, limit=most, note=note)
        paths = [one for one in self.project.sources if is_taken(one)]
        paths.sort(key=lambda one: (-shares.get(one, 0.0), one))
        rows = topics_of(self.project, self._library.profiles(), (known,) if known else TOPICS, paths)
        return Found.of(rows, limit=most)
