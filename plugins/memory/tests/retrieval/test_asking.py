"""A ranked question from end to end: parts, failures, settings, and what it leaves alone."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.contracts import Found, Scores, Skipped
from aries_kernel.errors import ConfigError, UnknownName, UserError
from ori_memory.retrieval.answer import PartReport, PartState, Verdict

RAN, SKIPPED, FAILED = PartState.RAN, PartState.SKIPPED, PartState.FAILED


@frozen
class Nothing:
    pass


class Part:
    """A signal or stage that does what its class says."""

    description: ClassVar[str] = "of a test"
    options_type: ClassVar[type[Nothing]] = Nothing
    role: ClassVar[str] = "vote"

    def __init__(self, options: object) -> None:
        self.options = options


class Broken(Part):
    def score(self, *given: object) -> Scores:
        raise RuntimeError("the gears are stuck")

    apply = score


class Missing(Part):
    def score(self, *given: object) -> Scores:
        raise UserError("The model is not there. Run ori fetch.")

    apply = score


class Silent(Part):
    def score(self, *given: object) -> Skipped:
        return Skipped("it has nothing to say")

    apply = score


class Told(Part):
    """Says something of what it found."""

    def score(self, question: Any, corpus: Any, found: Mapping[int, float]) -> Scores:
        return Scores(corpus.rank_words(["wheat"], 1), notice="half of it is old")


class MeansRye(Part):
    """In the place of the model: whatever is asked, rye is like it."""

    def score(self, question: Any, corpus: Any, found: Mapping[int, float]) -> Scores:
        return Scores(corpus.rank_words(["rye"], 1))


class Reversed(Part):
    def apply(self, question: Any, ranked: Sequence[Found], corpus: Any) -> Sequence[Found]:
        scores = [one.score for one in ranked]
        return [Found(one.note, score) for one, score in zip(reversed(ranked), scores, strict=True)]


class PrefersWheat(Part):
    """Leaves the first place to what was voted for, and would rather have another note there."""

    role: ClassVar[str] = "ranker"

    def score(self, question: Any, corpus: Any, found: Mapping[int, float]) -> Scores:
        (wheat,) = corpus.rank_words(["wheat"], 1)
        return Scores({**dict.fromkeys(found, 0.5), wheat: 1.0}, surest=(max(found, key=lambda num: found[num]),))


class PrefersFirst(PrefersWheat):
    def score(self, question: Any, corpus: Any, found: Mapping[int, float]) -> Scores:
        (rye,) = corpus.rank_words(["rye"], 1)
        return Scores({**dict.fromkeys(found, 0.5), rye: 1.0}, surest=(rye,))


OFF = "its weight is 0 in the settings"


def states(reports: Sequence[PartReport]) -> dict[str, str]:
    """What became of each part that is not switched off."""
    return {part.name: part.state.value for part in reports if part.reason != OFF}


def reason(reports: Sequence[PartReport], name: str) -> str:
    return next(part.reason for part in reports if part.name == name)


class TestParts:
    def test_by_default_every_installed_signal_of_the_settings_is_asked(self, bread: Any) -> None:
        answer = bread.ask("dough of rye")
        assert states(answer.signals) == {
            "keyword": "ran", "semantic": "skipped", "time": "skipped", "warmth": "skipped", "graph": "ran",
            "thread": "skipped", "pairs": "skipped",
        }  # fmt: skip
        assert states(answer.stages) == {"qvalue": "skipped", "exploration": "skipped"}
        assert [hit.title for hit in answer.hits] == ["Rye", "Oven", "Wheat"]

    def test_what_is_skipped_says_why(self, bread: Any) -> None:
        answer = bread.ask("dough of rye")
        assert all(part.reason for part in (*answer.signals, *answer.stages) if part.state is SKIPPED)
        assert reason(answer.signals, "time") == "the question names no time"
        assert reason(answer.signals, "semantic") == "no embedder here"
        assert answer.notices == ()

    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            (Broken, "it is defective: RuntimeError: the gears are stuck"),
            (Missing, "The model is not there. Run ori fetch."),
        ],
    )
    def test_a_signal_that_fails_is_named_and_the_others_go_on(self, bread: Any, kind: Any, said: str) -> None:
        bread.more["mine"] = kind
        bread.uses("mine", "keyword")
        answer = bread.ask("dough of rye")
        assert [hit.title for hit in answer.hits] == ["Rye", "Wheat"]
        assert (reason(answer.signals, "mine"), states(answer.signals)) == (said, {"mine": "failed", "keyword": "ran"})
        assert answer.notices == (f"mine: {said}",)

    @pytest.mark.parametrize("kind", [Broken, Missing])
    def test_a_stage_that_fails_is_named_and_changes_nothing(self, bread: Any, kind: Any) -> None:
        bread.more["mine"] = kind
        bread.settings("retrieval:\n  stages: [mine]\n")
        answer = bread.ask("dough of rye")
        assert states(answer.stages) == {"mine": "failed"} and answer.notices[0].startswith("mine: ")
        assert [hit.title for hit in answer.hits] == bread.titles("dough of rye", without=("mine",))

    def test_a_plugin_of_the_settings_that_is_not_installed_is_told_and_the_others_go_on(self, bread: Any) -> None:
        bread.uses("keyword", "keywrod", stages="[nosuch]")
        answer = bread.ask("dough of rye")
        assert states((*answer.signals, *answer.stages)) == {"keyword": "ran", "keywrod": "failed", "nosuch": "failed"}
        assert len(answer.notices) == 2 and answer.hits[0].title == "Rye"

    def test_one_that_has_nothing_to_say_is_no_news(self, bread: Any) -> None:
        bread.more["mine"] = Silent
        bread.uses("mine", "keyword", stages="[mine]")
        answer = bread.ask("dough of rye")
        assert reason(answer.signals, "mine") == reason(answer.stages, "mine") == "it has nothing to say"
        assert answer.notices == ()

    def test_what_a_signal_tells_beside_its_scores_is_a_notice(self, bread: Any) -> None:
        bread.more["mine"] = Told
        bread.uses("mine", "keyword")
        assert bread.ask("dough").notices == ("mine: half of it is old",)

    def test_a_stage_changes_the_order_and_says_how_many_places(self, bread: Any) -> None:
        bread.more["mine"] = Reversed
        bread.uses("keyword", stages="[mine]")
        answer = bread.ask("dough of sour rye")
        assert [hit.title for hit in answer.hits] == ["Wheat", "Rye"]
        assert answer.stages[0].found == 2

    def test_no_stage_moves_what_was_asked_for_literally(self, bread: Any) -> None:
        bread.more["mine"] = Reversed
        bread.uses("keyword", stages="[mine]")
        assert bread.titles('"dough of rye"')[0] == "Rye"


class TestChoosing:
    def test_only_the_signals_asked_for_run(self, bread: Any) -> None:
        answer = bread.ask("dough of rye", only=("keyword",))
        assert states(answer.signals) == {"keyword": "ran"}

    def test_one_that_is_not_in_the_settings_can_be_asked_for(self, bread: Any) -> None:
        bread.uses("keyword")
        assert "spaces" in states(bread.ask("dough", only=("spaces",)).signals)

    def test_an_unknown_one_is_an_error_with_the_known_ones(self, bread: Any) -> None:
        with pytest.raises(UnknownName, match=r"'keywrod'.*Did you mean 'keyword'.*semantic"):
            bread.ask("dough", only=("keywrod",))

    def test_an_unknown_one_to_leave_out_is_an_error_too(self, bread: Any) -> None:
        with pytest.raises(UnknownName, match=r"'grpah'.*Did you mean 'graph'"):
            bread.ask("dough", without=("grpah",))

    def test_a_weight_of_zero_leaves_a_signal_out_and_says_so(self, bread: Any) -> None:
        bread.settings("retrieval:\n  signals: {keyword: 1, graph: 0}\n")
        assert reason(bread.ask("dough").signals, "graph") == OFF

    @pytest.mark.parametrize(
        ("option", "wrong"), [("keyword: {window: 1}", "window"), ("keyword: {window_share: much}", "window_share")]
    )
    def test_wrong_options_are_told_with_their_place(self, bread: Any, option: str, wrong: str) -> None:
        bread.settings(f"retrieval:\n  options:\n    {option}\n")
        with pytest.raises(ConfigError, match=rf"retrieval\.options\.keyword.*{wrong}"):
            bread.ask("dough")

    @pytest.mark.parametrize("text", ["", " \n\t"])
    def test_an_empty_question_is_an_error(self, bread: Any, text: str) -> None:
        with pytest.raises(UserError, match="empty"):
            bread.ask(text)

    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_limit_of_nothing_is_an_error(self, bread: Any, limit: int) -> None:
        with pytest.raises(UserError, match="at least 1"):
            bread.ask("dough", limit=limit)

    def test_fusion_by_ranks_is_an_option(self, bread: Any) -> None:
        bread.settings("retrieval:\n  fusion: ranks\n")
        assert bread.titles("dough of rye")[0] == "Rye"


class TestMeaning:
    @pytest.fixture
    def meant(self, bread: Any) -> Any:
        bread.more["semantic"] = MeansRye
        bread.settings("retrieval:\n  signals: {keyword: 1, semantic: 1.5, graph: 0, pairs: 0}\n")
        return bread

    def test_it_does_not_outvote_the_note_that_holds_all_that_is_asked(self, meant: Any) -> None:
        assert meant.titles("light dough")[0] == "Wheat"

    def test_it_keeps_its_say_where_no_note_holds_most_of_it(self, meant: Any) -> None:
        assert meant.titles("light holiday cakes of grandmother")[0] == "Rye"

    def test_alone_it_is_all_there_is(self, meant: Any) -> None:
        assert meant.titles("light dough", only=("semantic",))[0] == "Rye"


class TestRankers:
    CLOSE = "light dough sour bake"
    """Rye holds a word more of it than Wheat."""

    @pytest.fixture
    def two(self, bread: Any) -> Any:
        bread.more |= {"one": PrefersWheat, "two": PrefersWheat, "other": PrefersFirst}
        return bread

    def test_a_note_that_both_prefer_comes_first_where_the_votes_are_close(self, two: Any) -> None:
        two.uses("keyword", "one", "two", more="  agreed: 0.4\n")
        answer = two.ask(self.CLOSE)
        assert [hit.title for hit in answer.hits] == ["Wheat", "Rye"]
        assert answer.hits[0].why[0].startswith("first: the rankers agree") and answer.hits[1].why == ()

    @pytest.mark.parametrize("rankers", [("one",), ("one", "other"), ("other", "one")])
    def test_one_alone_does_not_take_the_first_place(self, two: Any, rankers: tuple[str, ...]) -> None:
        two.uses("keyword", *rankers, more="  agreed: 0.4\n")
        assert two.titles(self.CLOSE) == ["Rye", "Wheat"]

    @pytest.mark.parametrize("agreed", [0.95, 1.1])
    def test_the_votes_decide_where_they_tell_the_two_apart(self, two: Any, agreed: float) -> None:
        two.uses("keyword", "one", "two", more=f"  agreed: {agreed}\n")
        assert two.titles(self.CLOSE) == ["Rye", "Wheat"]

    def test_what_was_asked_for_literally_stays_first(self, two: Any) -> None:
        two.uses("keyword", "one", "two", more="  agreed: 0\n")
        assert two.titles('"rye is sour" dough light')[0] == "Rye"


class TestLiterally:
    """What was typed as a name or in quotation marks cannot be outvoted."""

    @pytest.mark.parametrize("name", ["ABC-123", "v0.7.0", "snake_case", "Resume J", '"old mill"', "Resume J?"])
    def test_the_note_that_holds_it_comes_first(self, shelf: Any, name: str) -> None:
        bare = name.strip('"?')
        parts = bare.replace("-", " ").replace(".", " ").replace("_", " ")
        shelf.fill(
            {f"About {word} {place}": f"{word} and {parts[::-1]}" for word in parts.split() for place in range(4)}
        )
        title = bare if bare.startswith("Resume") else "Log"
        shelf.write(
            f"{title}.md", f"A long day, as all were. In the end there was {bare} and then nothing. " + "x " * 99
        )
        shelf.fill({f"Resume {letter}": f"resume of {letter}, j" for letter in "KLMN"} if "Resume" in name else {})
        assert shelf.titles(name)[0] == title

    def test_meaning_does_not_outvote_it(self, shelf: Any) -> None:
        shelf.fill({"Log": "ticket ABC-123 " + "and other words " * 9, "Close": "where is the fix of the bug"})
        shelf.embed()
        answer = shelf.ask("where is the fix of the bug ABC-123")
        assert states(answer.signals)["semantic"] in ("ran", "skipped") and answer.hits[0].title == "Log"


class TestLeavesAlone:
    def snapshot(self, root: Path) -> dict[str, str]:
        return {
            str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(root.rglob("*"))
            # The index is brought up to date by every command, also with the time that makes a fresh file settled.
            if file.is_file() and not file.name.startswith("index.")
        }

    def test_a_question_writes_nothing_but_what_it_brought_into_the_file_for_that(self, bread: Any) -> None:
        memory = bread.memory()
        memory.learned.add_boosts({memory.index.note("Rye").id: 0.5}, "s")
        memory.close()
        bread.ask("dough")
        bread.opened[-1].close()
        before = self.snapshot(bread.root)
        for text in ("dough of rye", "zqxv", '"dough of rye" in May ABC-1'):
            bread.ask(text)
        for memory in bread.opened:
            memory.close()
        after = self.snapshot(bread.root)
        assert after.pop(".ori/asked.ndjson") != before.pop(".ori/asked.ndjson")
        assert after == before

    def test_where_nothing_was_learned_no_store_is_made(self, bread: Any) -> None:
        bread.ask("dough")
        assert not (bread.root / ".ori/learned.db").exists()

    def test_the_answer_is_the_same_twice_and_from_another_process_state(self, bread: Any) -> None:
        memory = bread.memory()
        from ori_memory.retrieval.answer import Asked

        answers = [memory.ask(Asked("dough of rye")), memory.ask(Asked("dough of rye")), bread.ask("dough of rye")]
        assert answers[0].hits == answers[1].hits == answers[2].hits
        assert answers[0].confidence == answers[1].confidence == answers[2].confidence

    def test_the_answer_does_not_depend_on_the_working_directory(
        self, bread: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = bread.ask("dough of rye").hits
        monkeypatch.chdir(tmp_path)
        (tmp_path / "numpy.py").write_text("raise ImportError", encoding="utf-8")
        assert bread.ask("dough of rye").hits == here

    def test_the_order_in_which_files_were_written_does_not_matter(self, shelf: Any) -> None:
        notes = {"a": "rye of the mill", "b": "rye of the old mill", "c": "rye of the mill, see [[a]]", "d": "rye"}
        seen = []
        for order in itertools.islice(itertools.permutations(notes), 0, 24, 7):
            for file in shelf.root.glob(".ori/index*"):
                file.unlink()
            for title in notes:
                (shelf.root / f"{title}.md").unlink(missing_ok=True)
            for title in order:
                shelf.fill({title: notes[title]})
                shelf.memory().sync()
            seen.append(shelf.titles("rye of the mill"))
        assert all(one == seen[0] for one in seen)


class TestVaults:
    def test_an_empty_vault_has_nothing_relevant(self, shelf: Any) -> None:
        answer = shelf.ask("rye")
        assert (answer.hits, answer.verdict, answer.confidence) == ((), Verdict.NOTHING, 0.0)

    def test_a_vault_of_one_note_is_answered(self, shelf: Any) -> None:
        shelf.write("Rye.md", "sour dough")
        assert shelf.titles("sour dough") == ["Rye"]

    def test_a_vault_without_vectors_is_answered_at_once_by_words_and_links(self, bread: Any) -> None:
        bread.embedder = None
        bread.settings("embedding:\n  background: false\n")
        answer = bread.ask("dough of rye")
        assert [hit.title for hit in answer.hits] == ["Rye", "Oven", "Wheat"]
        assert reason(answer.signals, "semantic") == "no note is embedded yet"
        assert not (bread.root / ".ori/vectors.db").exists()

    def test_with_vectors_all_signals_speak(self, bread: Any) -> None:
        bread.fill({f"n{place}": f"w{place} v{place} u{place}" for place in range(30)})
        bread.embed()
        answer = bread.ask("dough of rye")
        assert states(answer.signals)["semantic"] == "ran"
        assert "semantic" in answer.hits[0].signals

    def test_a_note_written_since_is_told_as_not_covered(self, bread: Any) -> None:
        bread.fill({f"n{place}": f"w{place} v{place} u{place}" for place in range(30)})
        bread.embed()
        bread.write("New.md", "dough of spelt")
        answer = bread.ask("dough of spelt")
        assert answer.hits[0].title == "New"
        assert answer.notices[0].startswith("34 of 35 notes can be found by what they mean so far")

    def test_a_fast_answer_has_no_vectors(self, bread: Any) -> None:
        bread.embed()
        answer = bread.ask("dough of rye", is_fast=True)
        assert reason(answer.signals, "semantic") == "too slow for a fast answer"
        assert "semantic" not in answer.hits[0].signals

    @pytest.mark.skipif(os.name == "nt", reason="no such names there")
    def test_names_with_signs_of_all_kinds_are_answered(self, shelf: Any) -> None:
        shelf.fill({"a%b_c": "zebra one", "d'e": "zebra two", 'f"g': "zebra three", "日本": "zebra 四"})
        assert len(shelf.titles("zebra")) == 4


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(min_size=1).filter(str.strip))
def test_any_text_is_a_question(bread: Any, text: str) -> None:
    answer = bread.ask(text)
    known = {file.name for file in bread.root.glob("*.md")}
    assert {hit.path for hit in answer.hits} <= known
    assert all(0 <= hit.score <= 1 for hit in answer.hits) and 0 <= answer.confidence <= 1
    assert not [part for part in (*answer.signals, *answer.stages) if part.state is FAILED]


@pytest.mark.parametrize("sign", ["rye ", "a_", "x", "黑麦面包", '"', "\n\n# "])
def test_a_question_of_a_hundred_kilobytes_is_answered(bread: Any, sign: str) -> None:
    answer = bread.ask(sign * (100_000 // len(sign)))
    assert not [part for part in (*answer.signals, *answer.stages) if part.state is FAILED]


class TestIntents:
    def test_what_is_asked_for_shifts_the_weights_as_far_as_it_is_sure(self, shelf: Any) -> None:
        shelf.fill({"old": "---\ncreated: 2021-01-01\n---\nrye rye oven", "new": "---\ncreated: 2024-06-03\n---\nrye"})
        asked = "what happened and when did we bake rye in June"
        usual = shelf.ask(asked)
        assert (usual.intent, usual.period) == ("episodic", "2024-06-01..2024-06-30")
        shelf.settings("retrieval: {intents: {episodic: {time: 9.0}}}")
        assert shelf.titles(asked)[0] == "new"
        shelf.settings("retrieval: {intents: {episodic: {time: 0.0}}}")
        assert shelf.titles(asked)[0] == "old"


def test_a_find_whose_names_too_many_notes_hold_leaves_the_graph_at_work(shelf: Any) -> None:
    shelf.fill({"A": "Rye, says Clara Schumann. See [[B]].", "B": "Hot.", "C": "Rye of Ann Lee."})
    shelf.fill({f"D{number}": "Of Ann Lee." for number in range(40)})
    shelf.uses("keyword", "graph")
    answer = shelf.ask("rye")
    assert [(part.name, part.state) for part in answer.signals if part.name == "graph"] == [("graph", RAN)]
    assert {hit.title for hit in answer.hits} >= {"A", "B", "C"}
