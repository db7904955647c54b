"""Tokens of tasks done with the REPL and with navigation tools: `python bench/repl_tokens.py [--trees FOLDER]`.

The tasks of `repl_tasks.toml` are played by the real program with its real tools on a real tree, each in a copy of its
own. A script stands in for the model, the same that a careful one would write, so what is compared is what the two ways
put into the context, by the kernel's own estimate; whether a model writes such code is for runs with models to tell.
Results go to `bench/results/repl_tokens.json`, and the table into the README.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from aries_kernel.loop.compaction import estimate
from aries_kernel.model.messages import AssistantMessage, ResultsMessage, UserMessage
from aries_kernel.router.fitness import fixed_tokens
from aries_kernel.session.entries import PrefixSet
from aries_kernel.session.log import read_log
from aries_kernel.session.session import History

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "repl_tokens.json"
README = HERE.parent / "plugins" / "body" / "README.md"
TREE = "flask"
ARMS = ("navigation", "repl")
_PLACE = re.compile(r"(<!-- repl_tokens -->\n).*?(<!-- end -->)", re.DOTALL)


def script(task: dict[str, Any], arm: str) -> list[dict[str, Any]]:
    """The answers of the model: each round of calls is one."""
    if arm == "repl":
        rounds = [[{"call": "Repl", "arguments": {"code": task["repl"].strip()}}]]
    else:
        rounds = [[{"call": name, "arguments": given} for name, given in calls] for calls in task["navigation"]]
    return [*({"pieces": pieces} for pieces in rounds), {"pieces": [{"text": "Done."}]}]


def play(task: dict[str, Any], arm: str, tree: Path) -> dict[str, Any]:
    """One task in one arm, in a copy of the tree."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        work, home = folder / "work", folder / "home"
        shutil.copytree(tree, work)
        (home / ".aries").mkdir(parents=True)
        mode = "repl" if arm == "repl" else "bare"
        (home / ".aries" / "config.yaml").write_text(json.dumps({"tools": {"mode": mode}}), encoding="utf-8")
        played = folder / "script.jsonl"
        played.write_text("".join(json.dumps(one) + "\n" for one in script(task, arm)), encoding="utf-8")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ARIES_"))}
        command = [sys.executable, "-m", "aries_cli", "-p", task["question"], "-m", f"replay/{played}"]
        done = subprocess.run(
            [*command, "--permissions", "all"],
            cwd=work, env={**kept, "HOME": str(home)}, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            timeout=300,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{task['question']} ({arm}): {done.stderr}")
        [log] = [file for file in home.rglob("*.jsonl") if "sessions" in file.parts]
        return counted(task, arm, log)


def counted(task: dict[str, Any], arm: str, log: Path) -> dict[str, Any]:
    """The tokens of a session, and that it found out what the task is about."""
    lines = list(read_log(log))
    history = History.of(lines)
    results = [one for one in history.messages if isinstance(one, ResultsMessage)]
    told = "\n".join(result.text for one in results for result in one.results)
    missing = [needle for needle in task["needles"] if needle not in told]
    failed = [result.text for one in results for result in one.results if result.is_error]
    if missing or failed:
        raise SystemExit(f"{task['question']} ({arm}): missing {missing}, failed {failed}\n{told[:3000]}")
    [prefix] = [line.entry for line in lines if isinstance(line.entry, PrefixSet)]
    fixed = fixed_tokens(prefix.system, prefix.tools)
    answers = [at for at, one in enumerate(history.messages) if isinstance(one, AssistantMessage)]
    asked = [one for one in history.messages if isinstance(one, AssistantMessage)]
    return {
        "answers": len(answers),
        "written": estimate(asked),
        "results": estimate(results),
        "prefix": fixed,
        "read_in_all": sum(fixed + estimate(history.messages[:at]) for at in answers),
        "prompt": estimate([one for one in history.messages if isinstance(one, UserMessage)]),
    }


def totals(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Sums over the tasks, by arm."""
    return {
        arm: {key: sum(row[arm][key] for row in rows) for key in ("answers", "written", "results", "read_in_all")}
        for arm in ARMS
    }


def with_table(readme: str) -> str:
    """The README with what was measured."""
    measured = json.loads(RESULTS.read_text(encoding="utf-8"))
    return _PLACE.sub(lambda found: found[1] + _table(measured) + found[2], readme)


def _table(measured: dict[str, Any]) -> str:
    lines = [
        "| task | results, navigation | results, REPL | read in all, navigation | read in all, REPL |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    rows = [(row["question"], row["navigation"], row["repl"]) for row in measured["tasks"]]
    rows.append(("all", measured["totals"]["navigation"], measured["totals"]["repl"]))
    for name, one, other in rows:
        figures = (one["results"], other["results"], one["read_in_all"], other["read_in_all"])
        lines.append(f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |")
    one, other, prefix = *(measured["totals"][arm] for arm in ARMS), measured["prefix"]
    lines += [
        "",
        f"The script of the model wrote {one['written']:,} tokens in {one['answers']} answers with navigation tools, "
        f"{other['written']:,} in {other['answers']} with the REPL. Rules and schemas, which every request holds, take "
        f"{prefix['navigation']:,} and {prefix['repl']:,}; they are part of what was read.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=Path, default=Path.home() / ".cache" / "aries-bench" / "trees")
    given = parser.parse_args()
    from code_graph import TREES, fetched

    found = fetched(TREE, given.trees)
    if found is None:
        raise SystemExit(f"{TREE} could not be fetched.")
    [tree] = [folder for folder in found.iterdir() if folder.is_dir()]
    tasks = tomllib.loads((HERE / "repl_tasks.toml").read_text(encoding="utf-8"))["task"]
    rows = []
    for task in tasks:
        rows.append({"question": task["question"], **{arm: play(task, arm, tree) for arm in ARMS}})
        print(json.dumps(rows[-1]), file=sys.stderr)
    prefix = {arm: rows[0][arm]["prefix"] for arm in ARMS}
    document = {"tree": TREES[TREE][1], "prefix": prefix, "totals": totals(rows), "tasks": rows}
    RESULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
