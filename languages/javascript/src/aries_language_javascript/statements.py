"""The statements `import` and `export`, and references at the top of a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aries_kernel.contracts.language import Import
from aries_language_javascript.definition import VALUES, add, give, unwrapped
from aries_language_javascript.file import ExportedName, File, Outer

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["statements"]

_TYPE_ONLY = re.compile(rb"export\s+type\s*[{*]")
_REFERENCE = re.compile(
    rb"""^[ \t]*///[ \t]*<reference\s[^>\n]*?\b(path|types)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')""", re.M
)


def statements(file: File, root: Node) -> None:
    """Takes apart what the statements of a module say; declarations that they export are only marked."""
    for node in file.ordered("import"):
        _import(file, node)
    for node in file.ordered("export"):
        _export(file, node)
    for node in file.ordered("ambient"):
        _ambient(file, node)
    if b"<reference" in file.source:
        _references(file, root)


def _import(file: File, node: Node) -> None:
    file.is_module = True
    source = node.child_by_field_name("source")
    first = node.named_children[0] if node.named_children else None
    clause = first if first is not None and first.type in ("import_clause", "import_require_clause") else None
    if clause is not None and clause.type == "import_require_clause":
        _import_require(file, node, clause)
        return
    if source is None:
        return
    module, line = file.key(source), file.line(node.start_byte)
    kind = "type" if _has_type(node) else "import"
    if clause is None:
        file.imports[node.start_byte] = Import(line, kind, module)
    for child in () if clause is None else clause.named_children:
        if child.type == "identifier":
            _name(file, child, kind, module, "default", child)
        elif child.type == "namespace_import" and child.named_children:
            _name(file, child.named_children[0], kind, module, "", child)
        elif child.type == "named_imports":
            if not child.named_children:
                file.imports[child.start_byte] = Import(line, kind, module)
            for specifier in child.named_children:
                if specifier.type == "import_specifier":
                    _specifier(file, specifier, kind, module)


def _specifier(file: File, node: Node, kind: str, module: str) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    start = name.start_byte
    file.placed.add(start)
    # The word `type` stands before the name.
    own = kind if start == node.start_byte else "type"
    _name(file, node.child_by_field_name("alias") or name, own, module, file.key(name), node)


def _name(file: File, local: Node, kind: str, module: str, name: str, node: Node) -> None:
    place = node.start_byte
    file.imports[place] = Import(file.line(local.start_byte), kind, module, name, file.text(local))
    file.bind(local, place, None)


def _import_require(file: File, node: Node, clause: Node) -> None:
    source, local = clause.child_by_field_name("source"), clause.named_children[0]
    if source is None or local.type != "identifier":
        return
    kind = "type" if _has_type(node) else "require"
    file.imports[node.start_byte] = Import(file.line(node.start_byte), kind, file.key(source), "", file.text(local))
    file.bind(local, node.start_byte, None)


def _export(file: File, node: Node) -> None:
    source = node.child_by_field_name("source")
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    words = {child.type for child in node.children if not child.is_named}
    file.is_module = True
    if source is not None:
        kind = "type" if _TYPE_ONLY.match(file.source, node.start_byte) else "reexport"
        _reexport(file, node, file.key(source), kind)
    elif declaration is not None:
        name = "default" if "default" in words else ""
        file.outer[declaration.start_byte] = Outer(node.start_byte, file.line(node.start_byte), name, is_exported=True)
    elif value is not None:
        _default(file, node, value)
    elif "=" in words:
        _default(file, node, next((child for child in reversed(node.named_children)), None))
    else:
        _locals(file, node)


def _reexport(file: File, node: Node, module: str, kind: str) -> None:
    clause = next((child for child in node.named_children if child.type in ("export_clause", "namespace_export")), None)
    if clause is None:
        file.imports[node.start_byte] = Import(file.line(node.start_byte), kind, module, "*")
        file.exports.append(ExportedName("*", item=node.start_byte, is_all=True))
    elif clause.type == "namespace_export":
        # The word `default` is a token, not a node with a name.
        local = clause.children[-1]
        file.placed.add(local.start_byte)
        file.imports[node.start_byte] = Import(file.line(node.start_byte), kind, module)
        file.exports.append(ExportedName(file.key(local), item=node.start_byte))
    else:
        specifiers = [child for child in clause.named_children if child.type == "export_specifier"]
        if not specifiers:
            file.imports[node.start_byte] = Import(file.line(node.start_byte), kind, module)
        for specifier in specifiers:
            name, alias = _sides(file, specifier)
            first = specifier.child_by_field_name("name")
            own = kind if first is None or first.start_byte == specifier.start_byte else "type"
            file.imports[specifier.start_byte] = Import(file.line(specifier.start_byte), own, module, name)
            file.exports.append(ExportedName(alias, item=specifier.start_byte))


def _locals(file: File, node: Node) -> None:
    """`export { a, b as c }`; `export as namespace X` only names a global."""
    for clause in node.named_children:
        if clause.type == "identifier":
            file.placed.add(clause.start_byte)
        for specifier in clause.named_children if clause.type == "export_clause" else ():
            if specifier.type == "export_specifier":
                name, alias = _sides(file, specifier)
                file.exports.append(ExportedName(alias, name.encode()))


def _sides(file: File, specifier: Node) -> tuple[str, str]:
    name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
    for one in (name, alias):
        if one is not None:
            file.placed.add(one.start_byte)
    text = "" if name is None else file.key(name)
    return text, text if alias is None else file.key(alias)


def _default(file: File, node: Node, value: Node | None) -> None:
    inner = unwrapped(value)
    if value is None or inner is None:
        return
    if inner.type == "identifier":
        file.placed.add(inner.start_byte)
        file.exports.append(ExportedName("default", file.bytes_of(inner)))
        file.export_objects.add(file.text(inner))
        return
    made = add(file, node, None, "constant")
    made.exported, made.modifiers = "default", ""
    if inner.type in VALUES:
        made.kind = "class" if inner.type == "class" else "function"
        give(file, made, inner)
        if made.inner:
            made.name = made.inner.decode("utf-8", "replace")
            made.binds = made.inner


def _ambient(file: File, node: Node) -> None:
    around = file.outer.get(node.start_byte)
    for child in node.named_children:
        start, line = (around.start, around.line) if around else (node.start_byte, file.line(node.start_byte))
        file.outer[child.start_byte] = Outer(
            start, line, around.name if around else "", around is not None and around.is_exported, "declare"
        )


def _references(file: File, root: Node) -> None:
    for found in _REFERENCE.finditer(file.source):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        node = root.descendant_for_byte_range(start, start + 1)
        if node is not None and node.type == "comment":
            module = (found[2] if found[2] is not None else found[3]).decode("utf-8", "replace")
            kind = "include" if found[1] == b"path" else "type"
            file.imports[start] = Import(file.line(node.start_byte), kind, module)


def _has_type(node: Node) -> bool:
    """Whether the word `type` stands in front."""
    return any(child.type == "type" for child in node.children[:2])
