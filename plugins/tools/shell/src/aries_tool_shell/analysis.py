"""What a script would do: every simple command at any depth, the files it redirects, the secrets it names.

A command is in doubt when its words may not be all there is to it. One rule for computed words: a word that is not
known before the script runs may be an option, so it puts its command in doubt; not so where it begins with a known
folder (`src/*.py`, `"out/$name"`), and not so as one quoted word after `--`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from aries_kernel.broker.effects import Effect, ReadPath, RunCommand, WritePath
from aries_tool_shell.doubts import (
    Place,
    doubt_of_folder,
    doubt_of_variables,
    doubt_of_words,
    doubted,
    in_doubt,
    real,
    shown,
)
from aries_tool_shell.expansions import evaluating_words, hidden_evaluations
from aries_tool_shell.powers import doubt_about_arguments, is_stateful, program_name
from aries_tool_shell.redirections import target_of
from aries_tool_shell.secret_words import secrets_in
from aries_tool_shell.syntax import WORD_TYPES, doubts_about, is_too_deep, parse, walk
from aries_tool_shell.tables import names
from aries_tool_shell.words import Surprise, Word, decode, literal
from aries_tool_shell.wrappers import WRAPPERS, Inner, Wrapper, commands_of_find, inner_of

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["analyse"]

_RESERVED = names("then else elif fi do done esac in function select until while for case if { } ! [[ ]]")
_SETS_VARIABLES = names("read getopts mapfile readarray export declare typeset readonly local")
_DEEPEST = 8
_LONGEST = 100_000


def analyse(script: str, root: Path) -> tuple[Effect, ...]:
    """The effects of running `script` in `root`; never raises, what is not understood is in doubt."""
    found = _Analysis(root).run(script, root)
    if not any(isinstance(effect, RunCommand) for effect in found):
        found.append(RunCommand((":",), script.strip()[:200] or ":"))
    return tuple(dict.fromkeys(found))


class _Analysis:
    """One script, and the scripts within it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, script: str, folder: Path | None, depth: int = 0) -> list[Effect]:
        source = script.encode("utf-8", "surrogatepass")
        if len(source) > _LONGEST or depth > _DEEPEST or "\0" in script:
            return [in_doubt(script, "the script is too long, too deep or holds NUL")]
        tree = parse(source)
        if is_too_deep(tree):
            return [in_doubt(script, "the script is nested too deep")]
        doubt = next(doubts_about(tree, source), None) or next(hidden_evaluations(tree, source), None)
        reader = _Reader(self, source, Place(folder, depth, doubt=doubt))
        reader.visit(tree)
        return reader.finish(script)


class _Reader:
    """Walks one tree; keeps the folder that `cd` leads to."""

    def __init__(self, analysis: _Analysis, source: bytes, place: Place) -> None:
        self._analysis, self._source, self._place = analysis, source, place
        self._folder = place.folder
        self._found: list[Effect] = []
        self._doubt = place.doubt
        self._functions: set[str] = set()

    def finish(self, script: str) -> list[Effect]:
        """The effects, every command in doubt where the script as a whole is."""
        found = [self._with_functions(effect) for effect in self._found]
        if self._doubt is None:
            return found
        if not any(isinstance(effect, RunCommand) for effect in found):
            found.append(in_doubt(script, self._doubt))
        return [doubted(effect, self._doubt) for effect in found]

    def _with_functions(self, effect: Effect) -> Effect:
        if isinstance(effect, RunCommand) and self._functions & {*effect.words[:1], *effect.through}:
            return doubted(effect, "the script defines a function of that name")
        return effect

    # Structure

    def visit(self, node: Node) -> None:
        handler = _HANDLERS.get(node.type)
        if handler is not None:
            handler(self, node)
        elif node.type in WORD_TYPES or not node.is_named:
            self._visit_inside(node)
        else:
            self._statements(node)

    def _statements(self, node: Node) -> None:
        children = node.children
        for child, following in zip_longest(children, children[1:]):
            before = self._folder
            self.visit(child)
            if following is not None and following.type == "&":
                self._folder = before

    def _visit_inside(self, node: Node) -> None:
        for child in node.children:
            self.visit(child)

    def _in_scope(self, node: Node) -> None:
        """A subshell: its `cd` ends with it."""
        before = self._folder
        for child in node.children:
            self.visit(child)
        self._folder = before

    def _branches(self, node: Node) -> None:
        """What may or may not run: after a `cd` in it, the folder is not known."""
        name = node.child_by_field_name("variable") if node.type == "for_statement" else None
        if name is not None:
            self._doubt = self._doubt or doubt_of_variables((self._text(name),))
        before = self._folder
        for child in node.children:
            self.visit(child)
            if self._folder != before:
                self._folder = None
        if node.type in ("while_statement", "for_statement", "c_style_for_statement") and self._folder != before:
            self._doubt = self._doubt or "a loop changes the folder"

    def _list(self, node: Node) -> None:
        for child in node.children:
            before = self._folder
            self.visit(child)
            if child.type == "||" and self._folder != before:
                self._folder = None
        if any(child.type == "||" for child in node.children) and self._has_cd(node):
            self._folder = None

    def _has_cd(self, node: Node) -> bool:
        return any(one.type == "command_name" and self._text(one) in ("cd", "pushd", "popd") for one in walk(node))

    def _function(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self._functions.add(self._text(name))
        self._branches(node)

    def _redirected(self, node: Node) -> None:
        """The statement, then what it reads and writes."""
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child != body]
        feeds = tuple(feed for child in redirects for feed in self._feed(child))
        before = self._place
        folder = self._folder
        self._place = evolve(before, code_input=(*before.code_input, *feeds))
        if body is not None:
            self.visit(body)
        self._place = before
        after, self._folder = self._folder, folder
        for child in redirects:
            self.visit(child)
        self._folder = after
        if after != folder:
            for child in redirects:  # `cd x && ls > f` is read as one statement; either folder may be meant
                self.visit(child)

    def _feed(self, node: Node) -> Iterator[Word]:
        if node.type == "heredoc_redirect":
            for child in node.children:
                if child.type == "heredoc_body":
                    text = self._text(child)
                    yield Word(text, "*", is_computed=bool(re.search(r"[$`\\]", text)), lead=text)
        elif node.type == "herestring_redirect":
            words = [child for child in node.children if child.type in WORD_TYPES]
            yield from filter(None, map(self._decode, words))

    def _redirect(self, node: Node) -> None:
        signs = [child for child in node.children if not child.is_named]
        words: list[Word] = []
        for child in node.children:
            if child.type in WORD_TYPES:
                self._visit_word(child)
                words += filter(None, [self._decode(child)])
        if words and signs:
            self._redirect_to(signs[0].type, words[0])
        if len(words) > 1:  # the grammar takes what follows for more files; to bash it is the command, or belongs to it
            self._doubt = self._doubt or f"{words[1].text} stands behind a redirection"
            place = evolve(self._place, folder=self._folder, doubt=self._doubt)
            self._start(tuple(words[1:]), (), self._text(node), place)

    def _redirect_to(self, sign: str, word: Word) -> None:
        target = target_of(sign, word, self._folder)
        self._doubt = self._doubt or target.doubt
        if target.is_computed:
            self._found += [ReadPath(self._place_of(path)) for path in secrets_in("", (word,), self._folder)]
        path = self._place_of(Path(word.text))
        if target.is_read:
            self._found.append(ReadPath(path))
        if target.is_written:
            self._found.append(WritePath(path))

    def _place_of(self, path: Path) -> Path:
        if str(path).startswith("~") or self._folder is None or self._folder == self._analysis.root:
            return path
        return self._folder / path

    # Commands

    def _command(self, node: Node) -> None:
        words: list[Word] = []
        assignments: list[str] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignments.append(self._text(child))
                self._visit_inside(child)
            elif child.type == "herestring_redirect":
                self._visit_inside(child)
            elif child.type in ("file_redirect", "heredoc_redirect"):
                self.visit(child)
            elif child.type == "command_name" or child.type in WORD_TYPES:
                inner = child.children[0] if child.type == "command_name" and child.children else child
                self._visit_word(inner)
                word = self._decode(inner)
                if word is not None:
                    words.append(word)
            elif child.is_named:
                self.visit(child)
                words.append(Word(self._text(child), "*", is_computed=True, is_split=True))
            else:
                words.append(literal(self._text(child)))
        feeds = tuple(feed for child in node.children for feed in self._feed(child))
        place = evolve(self._place, folder=self._folder, code_input=(*self._place.code_input, *feeds))
        self._start(tuple(words), tuple(assignments), self._text(node), place)

    def _visit_word(self, node: Node) -> None:
        if node.type in ("command_substitution", "process_substitution"):
            self._in_scope(node)
        else:
            self._visit_inside(node)

    def _start(self, words: tuple[Word, ...], assignments: tuple[str, ...], text: str, place: Place) -> None:
        """One command, wrappers opened."""
        doubt = place.doubt or doubt_of_variables(assignments)
        place = evolve(place, doubt=doubt)
        if not words:
            return self._assigned(assignments)
        program = words[0]
        name = program_name(program.text)
        if program.is_computed:
            return self._leaf(words, text, evolve(place, doubt=doubt or f"the program {program.text} is computed"))
        if program.text in _RESERVED:
            self._doubt = self._doubt or f"{program.text} stands where a program is expected"
        self._protect(name, words[1:])
        wrapper = WRAPPERS.get(name)
        if wrapper is not None and place.depth <= _DEEPEST:
            return self._unwrap(wrapper, name, words, text, place)
        if name == "find":
            self._start_found(words, text, place)
        self._leaf(words, text, place)
        self._change_folder(name, words)

    def _start_found(self, words: tuple[Word, ...], text: str, place: Place) -> None:
        for inner in commands_of_find(words[1:]):
            doubt = place.doubt or "its arguments are what find finds"
            self._start(inner, (), shown(inner), evolve(place, depth=place.depth + 1, doubt=doubt))

    def _assigned(self, assignments: tuple[str, ...]) -> None:
        for reason in filter(None, (doubt_of_variables((one,)) for one in assignments)):
            self._doubt = self._doubt or reason

    def _unwrap(self, wrapper: Wrapper, name: str, words: tuple[Word, ...], text: str, place: Place) -> None:
        inner = inner_of(wrapper, words[1:])
        doubt = place.doubt or inner.doubt or doubt_of_variables(inner.assignments)
        if inner.doubt is not None and doubt == inner.doubt:
            doubt = f"{name}: {inner.doubt}"
        below = evolve(place, depth=place.depth + 1, doubt=doubt, through=(*place.through, words[0].text))
        if inner.code is not None:
            self._code(inner.code, below)
        elif wrapper.is_shell:
            return self._shell_without_code(inner, words, text, evolve(place, doubt=doubt))
        elif inner.words:
            self._start(inner.words, (), text if not place.through else shown(inner.words), below)
        is_empty = inner.code is None and not inner.words
        if wrapper.power is not None or is_empty or doubt is not None:
            self._leaf(words, text, evolve(place, doubt=doubt))

    def _shell_without_code(self, inner: Inner, words: tuple[Word, ...], text: str, place: Place) -> None:
        """`bash file` runs the file, as `./file` would; without a file it runs its input."""
        if not inner.words:
            for feed in place.code_input:
                self._code(feed, evolve(place, depth=place.depth + 1, code_input=()))
            place = evolve(place, doubt=place.doubt or "a shell runs what it reads from standard input")
        self._leaf(words, text, place)

    def _code(self, code: Word, place: Place) -> None:
        """A script in a word; what is computed in it cannot be read, what is written in it can."""
        doubt = place.doubt or ("the script is computed" if code.is_computed else None)
        for effect in self._analysis.run(code.text, place.folder, place.depth + 1):
            if isinstance(effect, RunCommand):
                effect = evolve(effect, through=(*place.through, *effect.through))
            self._found.append(doubted(effect, doubt) if doubt else effect)

    def _leaf(self, words: tuple[Word, ...], text: str, place: Place) -> None:
        name = program_name(words[0].text)
        texts = [word.text for word in words[1:]]
        doubt = (
            place.doubt
            or doubt_about_arguments(name, words[1:])
            or evaluating_words(name, texts)
            or (doubt_of_variables(tuple(texts)) if name in _SETS_VARIABLES else None)
            or doubt_of_words(words)
            or doubt_of_folder(words[0].text, place.folder, self._analysis.root)
        )
        if is_stateful(name, words[1:]):
            self._doubt = self._doubt or f"{name} changes what other words of the script mean"
        spoken = tuple(word.text for word in words)
        self._found.append(RunCommand(spoken, text.strip() or spoken[0], doubt, place.through))

    def _declaration(self, node: Node) -> None:
        """`export`, `declare`, `unset`: builtins that have nodes of their own."""
        for child in node.children:
            self._visit_inside(child) if child.type == "variable_assignment" else self._visit_word(child)
        pieces = [self._text(child) for child in node.children]
        for child in node.children:
            if child.type in WORD_TYPES and child.type not in ("word", "number"):
                word = self._decode(child)
                if word is not None and word.is_computed:
                    self._doubt = self._doubt or f"{pieces[0]} sets a variable whose name is computed"
                pieces.append(word.text if word is not None else "")
        names = tuple(piece for piece in pieces[1:] if not piece.startswith("-"))
        self._doubt = self._doubt or doubt_of_variables(names)
        doubt = evaluating_words(pieces[0], [piece for piece in pieces[1:] if "=" not in piece.partition("[")[0]])
        count = len(node.children)
        self._found.append(RunCommand(tuple(pieces[:count]), self._text(node), doubt))

    def _assignment(self, node: Node) -> None:
        self._visit_inside(node)
        self._assigned((self._text(node),))

    def _protect(self, name: str, words: tuple[Word, ...]) -> None:
        self._found += [ReadPath(self._place_of(path)) for path in secrets_in(name, words, self._folder)]

    def _change_folder(self, name: str, words: tuple[Word, ...]) -> None:
        if name in ("pushd", "popd"):
            self._folder = None
        if name != "cd":
            return
        targets = [word for word in words[1:] if word.text not in ("-P", "-L", "--")]
        if len(targets) != 1 or targets[0].is_computed or targets[0].text.startswith("-") or self._folder is None:
            self._folder = None
            return
        target = Path(targets[0].text).expanduser() if targets[0].text.startswith("~") else Path(targets[0].text)
        folder = real(self._folder / target)
        self._folder = folder if folder.is_dir() else None  # a cd that fails stays where it is

    # Text

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _decode(self, node: Node) -> Word | None:
        try:
            return decode(node, self._source)
        except Surprise as surprise:
            self._doubt = self._doubt or str(surprise)
            text = self._text(node)
            return Word(text, "*", is_computed=True, is_split=True)


_HANDLERS = {
    "command": _Reader._command,
    "declaration_command": _Reader._declaration,
    "unset_command": _Reader._declaration,
    "variable_assignment": _Reader._assignment,
    "redirected_statement": _Reader._redirected,
    "file_redirect": _Reader._redirect,
    "function_definition": _Reader._function,
    "subshell": _Reader._in_scope,
    "command_substitution": _Reader._in_scope,
    "process_substitution": _Reader._in_scope,
    "pipeline": _Reader._in_scope,
    "list": _Reader._list,
    "if_statement": _Reader._branches,
    "while_statement": _Reader._branches,
    "for_statement": _Reader._branches,
    "c_style_for_statement": _Reader._branches,
    "case_statement": _Reader._branches,
}
