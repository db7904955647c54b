"""A whole session with the REPL: a scripted model on loopback, the real program, the real tool, a real repository."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.router.ledger import read_spendings
from aries_kernel.testing.wire_server import RecordedRequest, Send, Stall, WireReply, WireServer
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.vault.making import make_vault

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere code itself is asked about")

FILES = {
    "shop/__init__.py": "",
    "shop/money.py": (
        "def rounded(amount):\n    return round(amount, 2)\n\n\n"
        "def in_words(amount):\n    return f'{rounded(amount)} euros'\n"
    ),
    "shop/tax.py": "from shop.money import rounded\n\n\ndef taxed(amount):\n    return rounded(amount * 1.19)\n",
    "shop/cart.py": (
        "from shop.tax import taxed\n\n\nclass Cart:\n    def __init__(self):\n        self.lines = []\n\n"
        "    def total(self):\n        return sum(taxed(price) for price in self.lines)\n"
    ),
    "shop/orders.py": (
        "from shop.cart import Cart\nfrom shop.money import in_words\n\n\n"
        "def receipt(cart: Cart):\n    return in_words(cart.total())\n"
    ),
    "shop/mail.py": "def send(text):\n    print(text)\n\n\ndef unread():\n    return []\n",
    "shop/report.py": (
        "def summary(rows, limit):\n    totals = {}\n    for row in rows:\n        name = row['name'].strip().lower()\n"
        "        if not name:\n            continue\n        totals[name] = totals.get(name, 0) + row['amount']\n"
        "    best = sorted(totals.items(), key=lambda pair: -pair[1])\n    return best[:limit]\n"
    ),
    "tests/test_orders.py": (
        "from shop.cart import Cart\nfrom shop.orders import receipt\n\n\n"
        "def test_receipt():\n    assert receipt(Cart()) == '0 euros'\n"
    ),
}

TWELVE = """
found = {
    'top': codebase.top_files(1)[0].path,
    'users of money': sorted(r.path for r in codebase.show_dependents('shop/money.py')),
    'used by orders': sorted(r.path for r in codebase.show_dependencies('shop/orders.py')),
    'total': [f'{r.path}:{r.line}' for r in codebase.find_symbol('total')],
    'callers of rounded': sorted(f'{r.path}:{r.line}' for r in codebase.callers('rounded') if r.kind == 'call'),
    'tests of orders': [r.path for r in codebase.tests_for('shop/orders.py')],
    'unused': sorted(r.symbol.name for r in codebase.unused_exports()),
    'cycles': len(codebase.cycles()),
    'way': codebase.trace_path('shop/orders.py', 'shop/money.py'),
    'evidence': [r.line for r in codebase.evidence('shop/tax.py', 'shop/money.py')],
    'unresolved': len(codebase.unresolved()),
    'files': codebase.stats().file_count,
}
say('asked twelve questions')
short = rlm_call('Which file matters most?', found)
import json
print(json.dumps({**found, 'small model': str(short)}))
"""

EDIT = """
def users():
    return sorted(r.path for r in codebase.show_dependents('shop/mail.py'))

before = users()
imports = 'from shop.money import in_words\\n'
fs.edit('shop/orders.py', imports, 'from shop.mail import send\\n' + imports)
last = 'return in_words(cart.total())'
fs.edit('shop/orders.py', last, 'text = in_words(cart.total())\\n    send(text)\\n    return text')
after = users()
lines = ['from shop.mail import unread', '', '', 'def box():', '    return unread()']
shell.run("printf '%s\\\\n' " + ' '.join(repr(line) for line in lines) + ' > shop/box.py')
known = \'\'\'
def busiest(entries, most):
    counts = {}
    for entry in entries:
        key = entry['name'].strip().lower()
        if not key:
            continue
        counts[key] = counts.get(key, 0) + entry['amount']
    ranked = sorted(counts.items(), key=lambda one: -one[1])
    return ranked[:most]
\'\'\'
note = vault.add('Receipts are mailed', 'By orders.receipt, since the shop has mail.')
done({
    'before': before, 'after': after, 'later': users(),
    'callers': [r.inside for r in codebase.callers('send') if r.kind == 'call'],
    'is there already': [f'{r.path}:{r.name}' for r in codebase.detect_duplication(known)],
    'is found': vault.query_ranked('are receipts mailed', limit=1)[0].path == note.path,
})
"""


def _calls(code: str) -> list[dict[str, Any]]:
    call = {"index": 0, "id": "x", "function": {"name": "Repl", "arguments": json.dumps({"code": code})}}
    return [{"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}]


def _says(text: str) -> list[dict[str, Any]]:
    usage = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
    return [{"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}, usage]


def _reply(events: list[dict[str, Any]]) -> WireReply:
    return WireReply(tuple(Send(f"data: {json.dumps(one)}\n\n".encode()) for one in events))


class Model:
    """The main model plays its script, the small one answers by a function; both keep what they were asked."""

    def __init__(self, script: list[Callable[[str], list[dict[str, Any]]]], small: Callable[[str], WireReply]) -> None:
        self.script, self.small = script, small
        self.asked: list[dict[str, Any]] = []
        self.small_asked: list[dict[str, Any]] = []
        self.was_small_asked = asyncio.Event()

    def __call__(self, request: RecordedRequest) -> WireReply:
        body = json.loads(request.body)
        if body["model"] == "small":
            self.small_asked.append(body)
            self.was_small_asked.set()
            return self.small(body["messages"][-1]["content"])
        self.asked.append(body)
        last = body["messages"][-1]
        result = last["content"] if last["role"] == "tool" else ""
        return _reply(self.script[len(self.asked) - 1](result))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "All of it")
    return folder


def _git(folder: Path, *words: str) -> None:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True, timeout=60)


def _start(shop: Path, url: str, *flags: str) -> Any:
    home = shop.parent / "home"
    (home / ".aries").mkdir(parents=True, exist_ok=True)
    settings = {
        "models": {"primary": {"model": "openai/main"}, "cheap": {"model": "openai/small"}},
        "providers": {"openai": {"models": {"small": {"price": {"input": 1.0, "output": 1.0}}}}},
        "tools": {"families": {"main": "repl"}},
        "permissions": {"mode": "all"},
        "retry": {"attempts": 1},
    }
    (home / ".aries" / "config.yaml").write_text(json.dumps(settings), encoding="utf-8")
    ours = ("XDG_", "ARIES_", "OPENAI_", "ORI_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environ |= {"HOME": str(home), "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none", "ORI_NO_BACKGROUND": "1"}
    return asyncio.create_subprocess_exec(
        sys.executable, "-m", "aries_cli", "-p", "Mail the receipts.", "--output-format", "json", *flags,
        cwd=shop, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _play(shop: Path, model: Model, *flags: str) -> dict[str, Any]:
    async def run() -> dict[str, Any]:
        async with WireServer(model) as server:
            process = await _start(shop, server.url, *flags)
            out, err = await process.communicate()
            assert process.returncode == 0, (out, err)
            document: dict[str, Any] = json.loads(out)
            return document

    return asyncio.run(asyncio.wait_for(run(), 280))


def _log(shop: Path) -> list[dict[str, Any]]:
    [log] = [file for file in (shop.parent / "home").rglob("*.jsonl") if "sessions" in file.parts]
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_a_session_asks_twelve_questions_at_once_edits_sees_the_new_edge_and_answers(shop: Path) -> None:
    vault = make_vault(shop.parent / "home" / ".ori-memory")
    with Memory.open(vault, environ={"ORI_NO_BACKGROUND": "1"}) as memory:
        memory.add(NewNote("Prices hold taxes", "19 in a hundred."))
    results: list[str] = []

    def keep(then: Callable[[], list[dict[str, Any]]]) -> Callable[[str], list[dict[str, Any]]]:
        def reply(result: str) -> list[dict[str, Any]]:
            results.append(result)
            return then()

        return reply

    model = Model(
        [keep(lambda: _calls(TWELVE)), keep(lambda: _calls(EDIT)), keep(lambda: _says(f"It is mailed: {results[-1]}"))],
        lambda question: _reply(_says("shop/money.py, I think")),
    )
    document = _play(shop, model, "--allow", f"VaultAdd({vault.root}/**)")
    told = json.loads(results[1])
    assert told == {
        "top": "shop/money.py",
        "users of money": ["shop/orders.py", "shop/tax.py"],
        "used by orders": ["shop/cart.py", "shop/money.py"],
        "total": ["shop/cart.py:8"],
        "callers of rounded": ["shop/money.py:6", "shop/tax.py:5"],
        "tests of orders": ["tests/test_orders.py"],
        "unused": ["send", "summary", "unread"],
        "cycles": 0,
        "way": ["shop/orders.py", "shop/money.py"],
        "evidence": [1, 5],
        "unresolved": 0,
        "files": 8,
        "small model": "shop/money.py, I think",
    }
    assert document["status"] == "done" and document["calls"] == 2
    assert ast.literal_eval(document["text"].removeprefix("It is mailed: ")) == {
        "before": [],
        "after": ["shop/orders.py"],
        "later": ["shop/box.py", "shop/orders.py"],
        "callers": ["receipt"],
        "is there already": ["shop/report.py:summary"],
        "is found": True,
    }
    assert "send(text)" in (shop / "shop" / "orders.py").read_text(encoding="utf-8")


def test_what_is_shown_asked_and_spent_is_what_the_settings_say(shop: Path) -> None:
    model = Model(
        [lambda _: _calls(TWELVE), lambda _: _says("done")], lambda question: _reply(_says("shop/money.py, I think"))
    )
    document = _play(shop, model)
    first, second = model.asked
    names = [tool["function"]["name"] for tool in first["tools"]]
    assert "Repl" in names and not {"Read", "Glob", "Grep"} & set(names)
    system = first["messages"][0]["content"]
    assert "find_symbol(name, kind=None) -> [{path, line" in system and "vault: not here. There is no vault" in system
    assert second["messages"][0] == first["messages"][0] and second["tools"] == first["tools"]
    [small] = model.small_asked
    assert [message["role"] for message in small["messages"]] == ["user"] and "tools" not in small
    assert "Which file matters most?" in small["messages"][0]["content"]
    state = shop.parent / "home" / ".local" / "state" / "aries"
    spent = [one for one in read_spendings(state / "usage", []) if one.slot == "cheap"]
    assert [(one.purpose, one.turn, one.usage.total) for one in spent] == [("code", 1, 110)]
    assert document["usage"]["input"] >= 200 and spent[0].cost == pytest.approx(0.00011)
    assert [line["text"] for line in _log(shop) if line["type"] == "CodeSpoke"] == ["asked twelve questions"]


def test_an_interrupt_takes_a_question_to_the_small_model_back(shop: Path) -> None:
    model = Model([lambda _: _calls("rlm_call('x')\nopen('/tmp/never', 'w')")], lambda question: WireReply((Stall(),)))

    async def run() -> tuple[int, dict[str, Any]]:
        async with WireServer(model) as server:
            process = await _start(shop, server.url)
            await model.was_small_asked.wait()
            process.send_signal(signal.SIGINT)
            await server.client_left.wait()
            out, _ = await process.communicate()
            return int(process.returncode or 0), json.loads(out)

    code, document = asyncio.run(asyncio.wait_for(run(), 200))
    assert document["status"] == "interrupted" and code == document["exit_code"] != 0
    kinds = [line["type"] for line in _log(shop)]
    assert kinds[-1] == "TurnEnded"


def test_where_nobody_is_there_a_question_of_code_fails_and_code_can_go_on(shop: Path) -> None:
    code = "try:\n    ask('May I?')\nexcept HostError as error:\n    done(f'nobody: {error}')"
    model = Model([lambda _: _calls(code), lambda result: _says(result)], lambda question: WireReply())
    assert "nobody can be asked here" in _play(shop, model)["text"]


def test_a_note_of_code_meets_the_permissions_of_the_session(shop: Path) -> None:
    vault = make_vault(shop.parent / "home" / ".ori-memory")
    before = {file: file.read_bytes() for file in vault.root.rglob("*.md")}
    code = "try:\n    vault.add('Taxes are 19 in a hundred')\nexcept HostError as error:\n    done(str(error))"
    for flags in ([], ["--phase", "plan"], ["--permissions", "ask"]):
        model = Model([lambda _: _calls(code), lambda result: _says(result)], lambda question: WireReply())
        text = _play(shop, model, *flags)["text"]
        assert text.startswith("Refused: VaultAdd("), flags
        assert {file: file.read_bytes() for file in vault.root.rglob("*.md")} == before


def test_a_checkout_between_two_executions_is_seen(shop: Path) -> None:
    _git(shop, "checkout", "-qb", "other")
    (shop / "shop" / "tax.py").unlink()
    (shop / "shop" / "cart.py").write_text("class Basket:\n    pass\n", encoding="utf-8")
    _git(shop, "commit", "-qam", "Another shop")
    _git(shop, "checkout", "-q", "-")
    look = "[r.path for r in codebase.find_symbol('Cart')], [r.path for r in codebase.find_symbol('Basket')]"

    def then(result: str) -> list[dict[str, Any]]:
        assert result == "(['shop/cart.py'], [])"
        _git(shop, "checkout", "-q", "other")
        return _calls(f"{look}, codebase.list_files()")

    seen: list[str] = []

    def last(result: str) -> list[dict[str, Any]]:
        seen.append(result)
        return _says("done")

    _play(shop, Model([lambda _: _calls(look), then, last], lambda question: WireReply()))
    carts, baskets, files = ast.literal_eval(seen[0])
    assert (carts, baskets) == ([], ["shop/cart.py"]) and "shop/tax.py" not in files
