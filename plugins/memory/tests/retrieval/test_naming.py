"""Which notes a question names."""

from __future__ import annotations

from typing import Any

import pytest

from ori_memory.retrieval.naming import named_in


def named(shelf: Any, text: str) -> dict[str, float]:
    """By title or, where two have the same, by path."""

    def work(corpus: Any) -> dict[str, float]:
        found = named_in(corpus.connection, corpus, text)
        return {corpus.describe([note])[note].path.removesuffix(".md"): value for note, value in found.items()}

    return shelf.corpus(work)  # type: ignore[no-any-return]


@pytest.fixture
def notes(shelf: Any) -> Any:
    shelf.fill(
        {
            "Old Mill": "---\naliases: [The Windmill, Kornmühle]\n---\n",
            "graph-theory": "",
            "Sourdough": "",
            "Heavy (song)": "",
            "Heavy (2020 film)": "",
            "about us": "",
            "Bread": "",
            "Anna Karenina": "",
            "重跑部署": "",
            **{f"filler {number}": "bread and butter" for number in range(40)},
        }
    )
    return shelf


def test_a_title_in_a_question_names_its_note(notes: Any) -> None:
    assert named(notes, "who built the old mill?") == {"Old Mill": 1.0}


def test_a_title_of_a_file_is_found_in_prose(notes: Any) -> None:
    assert named(notes, "what is Graph Theory about") == {"graph-theory": 1.0}


@pytest.mark.parametrize("text", ["where is the windmill", "die kornmühle", "THE WINDMILL"])
def test_an_alias_names_it_too(notes: Any, text: str) -> None:
    assert "Old Mill" in named(notes, text)


def test_one_rare_word_names_its_note_half_surely(notes: Any) -> None:
    assert named(notes, "my sourdough is sour") == {"Sourdough": 0.5}


@pytest.mark.parametrize("text", ["bread", "What is bread?", "more about the Bread"])
def test_a_word_that_is_all_a_question_says_names_its_note(notes: Any, text: str) -> None:
    assert named(notes, text) == {"Bread": 1.0}
    for number in range(12):
        notes.write(f"{number} bread.md", "Bread and bread, all of it bread. See [[filler 3]].")
    assert notes.ask(text).hits[0].path == "Bread.md"


def test_homonyms_that_are_all_a_question_says_come_first(notes: Any) -> None:
    (notes.root / "film").mkdir()
    notes.write("film/Sourdough.md", "A film.")
    notes.write("Baking.md", "Sourdough, sourdough, sourdough: [[Sourdough]].")
    hits = notes.ask("sourdough").hits
    assert {hit.path for hit in hits[:2]} == {"film/Sourdough.md", "Sourdough.md"}


def test_a_word_that_many_notes_hold_names_none(notes: Any) -> None:
    assert named(notes, "the price of bread") == {}


def test_words_that_only_hold_a_sentence_together_name_none(notes: Any) -> None:
    assert named(notes, "tell me about us") == {}


def test_a_part_of_a_title_names_none(notes: Any) -> None:
    assert named(notes, "the old windmills; Anna; graph") == {}


def test_a_name_of_two_notes_is_shared_between_them(notes: Any) -> None:
    assert named(notes, "who sings Heavy") == {"Heavy (song)": 0.25, "Heavy (2020 film)": 0.25}


def test_a_qualified_title_is_called_by_its_bare_name_only_with_a_capital(notes: Any) -> None:
    assert named(notes, "a heavy load") == {}


def test_a_qualified_title_that_is_written_whole_is_that_note(notes: Any) -> None:
    assert named(notes, "who sings heavy (song)?") == {"Heavy (song)": 1.0}


def test_a_script_without_spaces_is_named_too(notes: Any) -> None:
    assert list(named(notes, "请重跑部署吧")) == ["重跑部署"]


def test_several_notes_may_be_named(notes: Any) -> None:
    assert named(notes, "Anna Karenina at the Old Mill") == {"Anna Karenina": 1.0, "Old Mill": 1.0}


def test_a_name_of_five_notes_names_none_of_them(shelf: Any) -> None:
    for number in range(5):
        shelf.write(f"{number}/Weekly review.md")
    assert named(shelf, "the weekly review") == {}
    (shelf.root / "4/Weekly review.md").unlink()
    assert named(shelf, "the weekly review") == {f"{number}/Weekly review": 0.25 for number in range(4)}


@pytest.mark.parametrize("text", ["", " ", "[[Old Mill]] `Old Mill`", "\0\ud800", "x" * 100_000])
def test_any_text_may_be_asked(notes: Any, text: str) -> None:
    assert set(named(notes, text)) <= {"Old Mill"}


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("Why not bake rye", "Why not bake rye?"),
        ("tea of the north", "ea of the north"),
        ("west/ea of the north", "tea of the north"),
        ("a", "The art of " + "very" * 20 + "longword"),
        ("b", "Using C++ in anger!"),
        ("c", "Two_words_here"),
        ("d", "Kornmühle at the lake"),
        ("e", "Rye (bread of the north)"),
        ("notes/f", "The bitter end."),
    ],
)
def test_a_title_is_found_whatever_it_ends_with(shelf: Any, path: str, title: str) -> None:
    shelf.write(f"{path}.md", f"---\ntitle: {title!r}\n---\n")
    shelf.fill({f"filler {number}": "bread and butter" for number in range(9)})
    for name in (title, path.rpartition("/")[2]):
        if len(name) > 1:
            assert path in named(shelf, f"what of {name} then"), name


@pytest.mark.parametrize("path", ["journal/2024-05-21", "2024_05_21", "21.05.2024", "20240521", "May 21st, 2024"])
@pytest.mark.parametrize("text", ["what did I do on 2024-05-21", "journal 21 May 2024", "May 21st, the log"])
def test_a_day_in_a_question_names_the_page_of_the_diary(shelf: Any, path: str, text: str) -> None:
    shelf.fill({path: "slept", "2024-05-22": "did I do the journal", "Talk 2024-05-21 log": "", "2024": ""})
    assert named(shelf, text) == {path: 1.0}


def test_a_month_names_no_page(shelf: Any) -> None:
    shelf.fill({"2024-05-21": "", "2024-05-01": ""})
    assert named(shelf, "what happened in May 2024") == {}


def test_a_day_without_a_page_names_nothing(shelf: Any) -> None:
    shelf.fill({"2024-05-21": ""})
    assert named(shelf, "what happened on 2024-05-20") == {}


@pytest.mark.parametrize("text", ["scout mindset", "the scout mindset", "who wrote Scout Mindset?"])
def test_an_article_in_front_of_a_name_may_be_left_out(shelf: Any, text: str) -> None:
    shelf.fill({"books.the scout mindset": "---\ntitle: The Scout Mindset\n---\n", "The End": "", "Mindset": "x"})
    assert named(shelf, text)["books.the scout mindset"] == 1.0


def test_a_page_of_logseq_is_named_by_its_path(shelf: Any) -> None:
    shelf.fill({"pages/Rust___std___Result": "", "pages/Rust": "", "pages/Rust___std": ""})
    assert named(shelf, "Rust/std/Result")["pages/Rust___std___Result"] == 1.0
