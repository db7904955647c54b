"""The policy: modes, rules, the workspace, secrets, guarded files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.broker.effects import Effect, ReachNetwork, ReadPath, RunCommand, WritePath
from aries_kernel.broker.policy import Policy
from aries_kernel.broker.workspace import Workspace
from aries_kernel.errors import ConfigError
from aries_kernel.settings.schema import Mode, Permissions

READ, WRITE, RUN, REACH = (
    ReadPath(Path("a.py")),
    WritePath(Path("a.py")),
    RunCommand(("make", "x"), "make x"),
    ReachNetwork("https://a.b/"),
)
OUT_READ, OUT_WRITE = ReadPath(Path("/elsewhere/a")), WritePath(Path("/elsewhere/a"))
MODES: tuple[Mode, ...] = ("ask", "edits", "read-only", "all")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder.resolve()


def make(root: Path, mode: Mode = "ask", also: tuple[Path, ...] = (), **rules: Any) -> Policy:
    return Policy.make(Permissions(mode=mode, **rules), Workspace(root, also))


def kind(policy: Policy, tool: str, *effects: Effect, **more: Any) -> str:
    return policy.decide(tool, effects, **more).kind


TABLE = [
    (READ, "allow", "allow", "allow", "allow"),
    (WRITE, "ask", "allow", "refuse", "allow"),
    (RUN, "ask", "ask", "refuse", "allow"),
    (REACH, "ask", "ask", "refuse", "allow"),
    (OUT_READ, "ask", "ask", "ask", "refuse"),
    (OUT_WRITE, "ask", "ask", "refuse", "refuse"),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row[0]))
def test_each_mode_says_what_is_asked(row: tuple[Effect, str, str, str, str], root: Path) -> None:
    effect, *wanted = row
    assert [kind(make(root, mode), "Tool", effect, reads_only=True) for mode in MODES] == wanted


def test_the_strictest_effect_decides(root: Path) -> None:
    assert kind(make(root), "Bash", READ, RUN) == "ask"
    assert kind(make(root, deny=("Bash(make)",)), "Bash", READ, RUN, WRITE) == "refuse"


def test_every_leaf_must_pass_by_itself(root: Path) -> None:
    policy = make(root, allow=("Bash(git *)",))
    status, remove = RunCommand(("git", "status"), "git status"), RunCommand(("rm", "-rf", "x"), "rm -rf x")
    decision = policy.decide("Bash", [status, remove])
    assert decision.kind == "ask"
    assert decision.reasons == ("Bash(rm -rf x): no rule allows it.",)
    assert decision.rules == ("Bash(rm -rf x $)",)
    assert policy.allowing(*decision.rules).decide("Bash", [status, remove]).kind == "allow"


@pytest.mark.parametrize(
    ("answered", "later"),
    [
        ("rm -rf build", "rm -rf build /home"),
        ("git push origin main", "git push origin main --force"),
        ("curl https://a", "curl https://a -d @key https://b"),
        ("git branch", "git branch -D main"),
        ("git fetch", "git fetch . +old:main"),
        ("git branch --list", "git branch --list -D main"),
    ],
)
def test_always_does_not_allow_the_same_command_with_more_words(answered: str, later: str, root: Path) -> None:
    policy = make(root)
    decision = policy.decide("Bash", [RunCommand(tuple(answered.split()), answered)])
    wider = policy.allowing(*decision.rules)
    assert wider.decide("Bash", [RunCommand(tuple(answered.split()), answered)]).kind == "allow"
    assert wider.decide("Bash", [RunCommand(tuple(later.split()), later)]).kind == "ask"


def test_deny_wins_over_ask_and_ask_over_allow(root: Path) -> None:
    assert kind(make(root, allow=("Bash",), ask=("Bash(make)",)), "Bash", RUN) == "ask"
    assert kind(make(root, allow=("Bash",), ask=("Bash(make)",), deny=("Bash(make)",)), "Bash", RUN) == "refuse"
    assert kind(make(root, "all", ask=("Bash(make)",)), "Bash", RUN) == "ask"
    assert make(root, "all", ask=("Bash(make)",)).decide("Bash", [RUN]).rules == ()
    assert kind(make(root, "all", deny=("Bash",)), "Bash", RUN) == "refuse"
    assert kind(make(root, deny=("bash(make)",)), "Bash", RUN) == "refuse"


def test_a_command_in_doubt_is_allowed_by_the_bare_tool_only(root: Path) -> None:
    doubted = RunCommand(("git", "$X"), "git $X", "a word is computed")
    assert kind(make(root, allow=("Bash(git *)",)), "Bash", doubted) == "ask"
    assert make(root).decide("Bash", [doubted]).rules == ()
    assert kind(make(root, allow=("Bash",)), "Bash", doubted) == "allow"
    assert kind(make(root, allow=("Bash(*)",)), "Bash", doubted) == "allow"
    assert kind(make(root, "all"), "Bash", doubted) == "allow"
    assert kind(make(root, "all", deny=("Bash(rm)",)), "Bash", doubted) == "ask"
    assert kind(make(root, allow=("Bash",), deny=("Bash(rm)",)), "Bash", doubted) == "ask"
    assert kind(make(root, "all", deny=("Edit(x)",)), "Bash", doubted) == "allow"


def test_a_phase_can_only_tighten(root: Path) -> None:
    assert kind(make(root, "all"), "Bash", RUN, mode="read-only") == "refuse"
    assert kind(make(root, "ask"), "Bash", RUN, mode="all") == "ask"
    assert kind(make(root, "read-only", allow=("Bash", "Write")), "Bash", RUN, WRITE) == "refuse"


def test_a_tool_that_declares_nothing_but_changes_things_asks(root: Path) -> None:
    wanted = {"ask": "ask", "edits": "ask", "read-only": "refuse", "all": "allow"}
    for mode in MODES:
        assert kind(make(root, mode), "Odd") == wanted[mode]
        assert kind(make(root, mode), "Odd", READ) == wanted[mode]
        assert kind(make(root, mode), "Odd", reads_only=True) == "allow"
    decision = make(root).decide("Odd", ())
    assert decision.rules == ("Odd",)
    assert kind(make(root).allowing("Odd"), "Odd") == "allow"
    assert kind(make(root, "read-only", allow=("Odd",)), "Odd") == "refuse"
    assert kind(make(root, deny=("Odd",)), "Odd", reads_only=True) == "refuse"
    assert kind(make(root, ask=("Odd",)), "Odd", reads_only=True) == "ask"


def test_all_bad_rules_are_told_at_once(root: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        make(root, allow=("Bash(", "Read"), ask=("rm -rf",), deny=("Edit()",))
    assert [problem.partition(":")[0] for problem in raised.value.problems] == [
        "permissions.allow",
        "permissions.ask",
        "permissions.deny",
    ]
    with pytest.raises(ConfigError, match="not a rule"):
        make(root).allowing("x y")


SECRETS = [
    ".env",
    "sub/.env.local",
    "key.pem",
    ".ENV",
    "/home/x/.ssh/id_rsa",
    "/proc/self/environ",
    "sub/../.env",
    "~/.aws/credentials",
]


@pytest.mark.parametrize("path", SECRETS)
@pytest.mark.parametrize("mode", MODES)
def test_no_tool_touches_a_secret_file_in_any_mode(path: str, mode: Mode, root: Path) -> None:
    policy = make(root, mode, allow=("Read", "Write", "Read(/**)", "Write(/**)", f"Read({path})"))
    for effect in (ReadPath(Path(path)), WritePath(Path(path))):
        decision = policy.decide("Read", [effect], reads_only=True)
        assert decision.kind == "refuse" and decision.rules == ()


def test_a_secret_file_is_seen_through_a_link_and_by_the_name_of_a_link(root: Path) -> None:
    (root / ".env").write_text("x", encoding="utf-8")
    (root / "plain").symlink_to(".env")
    (root / "readme.txt").write_text("x", encoding="utf-8")
    (root / "x.pem").symlink_to("readme.txt")
    for name in ("plain", "x.pem"):
        assert kind(make(root, "all"), "Read", ReadPath(Path(name)), reads_only=True) == "refuse"


def test_links_out_of_the_workspace_are_outside(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (root / "dangling").symlink_to(tmp_path / "nowhere")
    (root / "loop").symlink_to("loop")
    for path in ("link/new", "dangling", "../outside/x", "sub/../../outside/x"):
        assert kind(make(root, "edits"), "Write", WritePath(Path(path))) == "ask", path
        assert kind(make(root, "all"), "Write", WritePath(Path(path))) == "refuse", path
    assert kind(make(root, "all"), "Write", WritePath(Path("loop"))) == "refuse"
    assert kind(make(root, "all"), "Write", WritePath(Path("a\0b"))) == "refuse"


def test_a_path_rule_or_a_further_folder_opens_the_outside(root: Path, tmp_path: Path) -> None:
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    effect = WritePath(outside / "x")
    decision = make(root, "all").decide("Write", [effect])
    assert decision.kind == "refuse" and "workspace.also" in decision.reasons[0]
    assert decision.rules == (f"Write({outside}/x)",)
    assert kind(make(root, "all").allowing(*decision.rules), "Write", effect) == "allow"
    assert kind(make(root, "ask", allow=(f"Write({outside}/**)",)), "Write", effect) == "allow"
    assert kind(make(root, "all", allow=("Write",)), "Write", effect) == "refuse"
    assert kind(make(root, "edits", also=(outside,)), "Write", effect) == "allow"
    assert kind(make(root, "all", allow=("Read(/**)",)), "Write", effect) == "refuse"


GUARDED = [
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".GIT/config",
    ".aries/config.yaml",
    ".aries/new",
    ".bashrc",
    "sub/.zshrc",
    ".vscode/tasks.json",
    ".husky/pre-commit",
    ".git",
    "x.pth",
    "bare.git/hooks/update",
    ".aries",
]


@pytest.mark.parametrize("path", GUARDED)
def test_files_that_run_code_or_loosen_permissions_always_ask(path: str, root: Path) -> None:
    effect = WritePath(Path(path))
    assert kind(make(root, "edits"), "Edit", effect) == "ask"
    assert kind(make(root, "ask", allow=("Edit", "Edit(**)", "Edit(./**)", "Edit(*/*)")), "Edit", effect) == "ask"
    assert kind(make(root, "all"), "Edit", effect) == "allow"
    decision = make(root).decide("Edit", [effect])
    assert kind(make(root).allowing(*decision.rules), "Edit", effect) == "allow"


@pytest.mark.parametrize(
    "path", [".gitignore", ".github/workflows/x.yml", ".aries/memory/note.md", "src/git.py", "AGENTS.md"]
)
def test_usual_files_are_not_guarded(path: str, root: Path) -> None:
    assert kind(make(root, "edits"), "Edit", WritePath(Path(path))) == "allow"


def test_a_guarded_file_is_seen_through_a_link(root: Path) -> None:
    (root / ".git").mkdir()
    (root / "g").symlink_to(".git")
    assert kind(make(root, "edits"), "Edit", WritePath(Path("g/config"))) == "ask"


def test_what_read_denies_no_tool_reads(root: Path) -> None:
    policy = make(root, "all", deny=("Read(private/**)",))
    (root / "private").mkdir()
    (root / "open").mkdir()
    (root / "link").symlink_to("private")
    for path in ("private/x", "PRIVATE/x", "open/../private/x", "link/x", "./private//x"):
        for tool in ("Read", "Grep", "Bash"):
            assert kind(policy, tool, ReadPath(Path(path)), reads_only=True) == "refuse", path
    assert kind(policy, "Grep", ReadPath(Path()), reads_only=True) == "ask"
    assert kind(policy, "Grep", ReadPath(Path("open")), reads_only=True) == "allow"
    assert kind(policy, "Grep", ReadPath(Path("private")), reads_only=True) == "ask"


def test_a_command_that_names_what_read_denies_asks_even_where_nothing_asks(root: Path) -> None:
    policy = make(root, "all", deny=("Read(private/**)",))
    for words in (
        ("cat", "private/x"),
        ("grep", "-r", "k", "./PRIVATE/x"),
        ("x", "--file=private/x"),
        ("cat", "a/../private/x"),
    ):
        assert kind(policy, "Bash", RunCommand(words, " ".join(words))) == "ask", words
    for words in (("cat", "open/x"), ("ls",), ("git", "commit", "-m", "a\0b"), ("private/x",)):
        assert kind(policy, "Bash", RunCommand(words, " ".join(words))) == "allow", words


def test_what_edit_denies_no_tool_writes(root: Path) -> None:
    policy = make(root, "all", deny=("Edit(*.lock)",))
    assert kind(policy, "Write", WritePath(Path("uv.lock"))) == "refuse"
    assert kind(policy, "Bash", RunCommand(("ls",), "ls"), WritePath(Path("x/UV.LOCK"))) == "refuse"
    assert kind(policy, "Read", ReadPath(Path("uv.lock")), reads_only=True) == "allow"


def test_a_bash_rule_is_about_commands_not_about_files(root: Path) -> None:
    assert kind(make(root, allow=("Bash(make)",)), "Bash", RUN, WritePath(Path("make"))) == "ask"
    assert kind(make(root, "edits", deny=("Bash(make)",)), "Write", WritePath(Path("make"))) == "allow"


def test_rules_of_tools_that_do_not_exist_are_no_error(root: Path) -> None:
    assert kind(make(root, allow=("Gone(x)", "Gone"), deny=("Other",)), "Bash", RUN) == "ask"


_PATHS = st.sampled_from([".env", "a", "../x", "/etc/passwd", ".git/config", "private/a", "~", "a/../../.."]).map(Path)
_EFFECTS = st.lists(
    st.one_of(
        _PATHS.map(ReadPath),
        _PATHS.map(WritePath),
        st.sampled_from(["https://a", "::", ""]).map(ReachNetwork),
        st.builds(
            RunCommand,
            st.lists(st.sampled_from(["rm", "git", "-rf", "x"]), min_size=1).map(tuple),
            st.just("t"),
            st.sampled_from([None, "doubt"]),
        ),
    ),
    max_size=4,
)
_RULES = st.lists(
    st.sampled_from(["Bash", "Bash(git)", "Read", "Read(/**)", "Write(**)", "Bash(rm -rf)", "Edit(.git/**)", "T"])
).map(tuple)


@given(_EFFECTS, _RULES, _RULES, _RULES, st.sampled_from(MODES), st.booleans())
def test_more_deny_never_loosens_and_suggested_rules_really_mend(
    effects: list[Effect],
    allow: tuple[str, ...],
    ask: tuple[str, ...],
    deny: tuple[str, ...],
    mode: Mode,
    reads_only: bool,
) -> None:
    weight = {"allow": 0, "ask": 1, "refuse": 2}
    root = Path("/nonexistent-workspace")
    plain = make(root, mode, allow=allow, ask=ask).decide("Bash", effects, reads_only=reads_only)
    policy = make(root, mode, allow=allow, ask=ask, deny=deny)
    denied = policy.decide("Bash", effects, reads_only=reads_only)
    clamped = policy.decide("Bash", effects, mode="read-only", reads_only=reads_only)
    assert weight[denied.kind] >= weight[plain.kind]
    assert bool(denied.reasons) == (denied.kind != "allow")
    if any(not isinstance(effect, ReadPath) for effect in effects):
        assert clamped.kind == "refuse"
    if denied.rules and denied.kind == "ask":
        assert policy.allowing(*denied.rules).decide("Bash", effects, reads_only=reads_only).kind == "allow"


def test_a_deny_rule_about_something_in_a_folder_outside_does_not_turn_a_refusal_into_a_question(root: Path) -> None:
    assert make(root, "all", deny=("Read(/**)",)).decide("Bash", [ReadPath(Path("/"))]).kind == "refuse"
