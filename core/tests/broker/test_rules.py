"""Rules: their form, and what they speak about."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.broker.command_words import CommandPattern
from aries_kernel.broker.effects import Effect, ReachNetwork, ReadPath, RunCommand, WritePath
from aries_kernel.broker.globs import PathPattern
from aries_kernel.broker.rules import Rule, parse_rules, rule_for
from aries_kernel.broker.workspace import Workspace


def rule(text: str) -> Rule:
    problems: list[str] = []
    (found,) = parse_rules([text], "permissions.allow", problems)
    assert problems == []
    return found


def command(text: str) -> RunCommand:
    return RunCommand(tuple(shlex.split(text)), text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "(x)",
        "Bash(",
        "Bash(x",
        "Bash()",
        "Bash(  )",
        "rm -rf x",
        "Bash x",
        "1Bash",
        "Bash(a && b)",
        "Bash(a ; b)",
        "Bash(a | b)",
        "Bash)",
        "Read(a\0b)",
        "Bash (ls)",
    ],
)
def test_a_malformed_rule_is_named_with_its_key_and_the_right_form(text: str) -> None:
    problems: list[str] = []
    assert parse_rules([text, "Read"], "permissions.deny", problems) == (rule("Read"),)
    (problem,) = problems
    assert problem.startswith("permissions.deny: ") and repr(text) in problem and "(" in problem


@pytest.mark.parametrize(
    "text",
    [
        "Read",
        "Bash(*)",
        "Bash(git status)",
        "mcp__server__tool",
        "Edit(docs/**)",
        "Edit(it's.md)",
        "X-y(a(b)c)",
        "NoSuchTool(x)",
        " Read ",
    ],
)
def test_well_formed_rules_are_taken_whatever_tools_there_are(text: str) -> None:
    assert rule(text).text == text.strip()


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_a_problem(text: str) -> None:
    problems: list[str] = []
    assert len(parse_rules([text], "k", problems)) + len(problems) == 1


ALLOWED = [
    ("git status", "git status", True),
    ("git status", "git status -s", True),
    ("git status", "git stash", False),
    ("git status", "git", False),
    ("git status", "/usr/bin/git status", False),
    ("git status", "GIT status", False),
    ("git status", "gitx status", False),
    ("git *", "git", True),
    ("git *", "git push --force", True),
    ("git:*", "git log", True),
    ("git *", "gitk", False),
    ("npm run test:*", "npm run test", True),
    ("npm run *", "npm run a b", True),
    ("npm run *", "npm install", False),
    ("ls 'a b'", "ls 'a b' c", True),
    ("ls a*", "ls abc", True),
    ("ls a*", "ls b", False),
    ("./run.sh", "./run.sh x", True),
    ("./run.sh", "run.sh", False),
    ("git * main", "git push main", True),
    ("rm x $", "rm x", True),
    ("rm x $", "rm x y", False),
    ("rm $", "rm x", False),
    ("echo '$' $", "echo $", True),
]


@pytest.mark.parametrize(("pattern", "words", "is_allowed"), ALLOWED)
def test_an_allow_rule_is_a_prefix_of_whole_words(pattern: str, words: str, is_allowed: bool, tmp_path: Path) -> None:
    assert rule(f"Bash({pattern})").allows(command(words), Workspace(tmp_path)) is is_allowed


CAUGHT = [
    ("rm", "rm x", True),
    ("rm", "/bin/rm x", True),
    ("rm", "RM x", True),
    ("rm", "rm.exe x", True),
    ("rm", "rmdir x", False),
    ("rm", "ls rm", False),
    ("rm -rf", "rm -rf x", True),
    ("rm -rf $", "rm -rf x", True),
    ("rm -rf", "rm -fr x", True),
    ("rm -rf", "rm -r -f x", True),
    ("rm -rf", "rm --recursive --force x", True),
    ("rm -rf", "rm -r x", False),
    ("rm -rf", "rm x -rf", True),
    ("rm -rf", "rm -Rf x", True),
    ("git push", "git push", True),
    ("git push", "git -C x push", True),
    ("git push", "git -p push", True),
    ("git push", "git commit -m push", False),
    ("git push", "git log push", False),
    ("git push --force", "git push origin --force", True),
    ("git push --force", "git push --forc", True),
    ("git push --force", "git push", False),
    ("git push --force", "git push --force=x", True),
    ("git *", "git", True),
    ("git:*", "/x/git log", True),
    ("/bin/rm", "rm x", True),
]


@pytest.mark.parametrize(("pattern", "words", "is_caught"), CAUGHT)
def test_a_deny_rule_catches_every_way_to_say_it(pattern: str, words: str, is_caught: bool, tmp_path: Path) -> None:
    assert rule(f"Bash({pattern})").catches(command(words), Workspace(tmp_path)) is is_caught


def test_a_deny_rule_sees_wrappers_that_were_left_out(tmp_path: Path) -> None:
    assert rule("Bash(nohup)").catches(RunCommand(("ls",), "nohup ls", None, ("nohup",)), Workspace(tmp_path))


PATHS = [
    ("docs/**", "docs/a.md", True),
    ("docs/**", "docs/a/b.md", True),
    ("docs/**", "docs", False),
    ("docs/**", "x/docs/a", False),
    ("docs", "docs/a", True),
    ("docs", "x/docs/a", True),
    ("docs/", "docs/a", True),
    ("/docs", "docs/a", False),
    ("./docs", "docs/a", True),
    ("./docs", "x/docs/a", False),
    ("*.md", "a.md", True),
    ("*.md", "x/y/a.md", True),
    ("*.md", "a.mdx", False),
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/a/b.py", False),
    ("src/**/t.py", "src/t.py", True),
    ("src/**/t.py", "src/a/b/t.py", True),
    ("**/t.py", "a/t.py", True),
    ("**/t.py", "t.py", True),
    ("a[bc].x", "ab.x", True),
    ("a?.x", "ab.x", True),
    ("a[*].x", "a*.x", True),
    ("a[*].x", "ab.x", False),
]


@pytest.mark.parametrize(("pattern", "path", "is_covered"), PATHS)
def test_a_path_pattern_reads_like_an_ignore_file(pattern: str, path: str, is_covered: bool, tmp_path: Path) -> None:
    root = Workspace(tmp_path).root
    assert PathPattern(pattern).covers(root / path, root) is is_covered
    assert not is_covered or PathPattern(pattern).touches(root / path.upper(), root)


def test_absolute_and_home_patterns_and_outside(tmp_path: Path) -> None:
    root = Workspace(tmp_path).root
    assert PathPattern("/data/**").covers(Path("/data/x"), root)
    assert not PathPattern("/data/**").covers(Path("/data2/x"), root)
    assert PathPattern("~/notes").covers(Path(str(Path.home().resolve()) + "/notes/a"), root)
    assert not PathPattern("*.md").covers(Path("/elsewhere/a.md"), root)
    assert PathPattern("*.md").touches(Path("/elsewhere/a.md"), root)


def test_a_root_with_glob_signs_in_its_name_is_a_plain_root(tmp_path: Path) -> None:
    odd = tmp_path / "a[b]*"
    odd.mkdir()
    root = Workspace(odd).root
    assert PathPattern("docs/**").covers(root / "docs" / "x", root)
    assert not PathPattern("docs/**").covers(tmp_path.resolve() / "abc" / "docs" / "x", root)


@given(st.text(min_size=1, max_size=30), st.text(alphabet="ab*?[]/.", min_size=1, max_size=30))
def test_no_pattern_raises(pattern: str, path: str) -> None:
    root = Path("/root-of-it")
    PathPattern(pattern).covers(root / path, root)
    PathPattern(pattern).touches(root / path, root)
    PathPattern(pattern).reaches_into(root / path, root)


URLS = [
    ("docs.python.org", "https://docs.python.org/3/", True),
    ("*.python.org", "https://docs.python.org/3/", True),
    ("python.org", "https://docs.python.org", False),
    ("python.org", "https://python.org@evil.com/", False),
    ("python.org", "https://python.org.evil.com/", False),
    ("https://a.b/c/*", "https://a.b/c/d", True),
    ("https://a.b/c", "https://a.b/c/d", True),
    ("https://a.b/c", "https://a.b/cd", False),
    ("https://a.b", "http://a.b/", False),
    ("https://a.b/c", "https://a.b/c/../d", False),
    ("a.b", "not a url", False),
    ("a.b", "https://A.B/x", True),
    ("a.b:80", "http://a.b:81/", False),
    ("a.b", "http://[::1", False),
]


@pytest.mark.parametrize(("pattern", "url", "is_allowed"), URLS)
def test_a_network_rule_is_about_the_real_host(pattern: str, url: str, is_allowed: bool, tmp_path: Path) -> None:
    assert rule(f"WebFetch({pattern})").allows(ReachNetwork(url), Workspace(tmp_path)) is is_allowed


EFFECTS: list[tuple[str, Effect, str | None]] = [
    ("Bash", command("git status -s"), "Bash(git status)"),
    ("Bash", command("rm -rf x"), "Bash(rm -rf x $)"),
    ("Bash", command("echo 'a b'"), "Bash(echo 'a b' $)"),
    ("Bash", command("echo '*'"), None),
    ("Bash", command("echo '&&'"), None),
    ("Bash", RunCommand(("ls",), "ls", "doubt"), None),
    ("Edit", WritePath(Path("a.py")), "Edit(./a.py)"),
    ("Bash", WritePath(Path("x/a.py")), "Write(x/a.py)"),
    ("Bash", ReadPath(Path("/etc/hosts")), "Read(/etc/hosts)"),
    ("Edit", WritePath(Path("a[1]*.py")), "Edit(./a[[]1][*].py)"),
    ("Web", ReachNetwork("https://a.b/c"), "Web(a.b)"),
    ("Web", ReachNetwork("http://localhost:3000/c"), "Web(localhost:3000)"),
    ("Web", ReachNetwork("http://[::1]:3000/"), "Web([::1]:3000)"),
    ("Web", ReachNetwork("http://[::1]/"), "Web([::1])"),
    ("Web", ReachNetwork("nowhere"), None),
]


@pytest.mark.parametrize(("tool", "effect", "wanted"), EFFECTS)
def test_the_suggested_rule_allows_just_that_effect(
    tool: str, effect: Effect, wanted: str | None, tmp_path: Path
) -> None:
    workspace = Workspace(tmp_path)
    assert rule_for(tool, effect, workspace) == wanted
    if wanted is not None:
        assert rule(wanted).speaks_for(tool, effect) and rule(wanted).allows(effect, workspace)


@given(st.lists(st.text(st.characters(codec="ascii", min_codepoint=32), max_size=8), min_size=1, max_size=4))
def test_a_suggested_command_rule_never_means_more_than_its_words(words: list[str]) -> None:
    kind = CommandPattern.kind_of(tuple(words))
    if kind is not None and not re.match(r"(git|npm|go|uv|pip|docker|cargo) ", kind):
        problems: list[str] = []
        (found,) = parse_rules([f"Bash({kind})"], "k", problems) or (None,)
        assert found is None or found.command is None or found.command.words == tuple(words)
