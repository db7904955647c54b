"""YAML as nodes that know where they stand."""

from __future__ import annotations

from typing import Any

from ori_memory.bridging.place import CannotEdit

__all__ = ["child", "compose", "ends_at", "is_block", "is_empty_scalar", "is_mapping", "meaning"]


def compose(text: str) -> Any:
    """The root node of the one document; None where there is nothing. Raises: CannotEdit with the place."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 0)
        raise CannotEdit(f"this is not valid YAML: {error.problem or error.context}.", line, column) from error
    except (YAMLError, ValueError, AttributeError) as error:
        # Its reader stumbles over some texts in ways of its own.
        raise CannotEdit(
            f"this is not valid YAML: {str(error).splitlines()[0] if str(error) else error}.", 1
        ) from error
    except RecursionError as error:
        raise CannotEdit("this is nested too deep to be edited.", 1) from error


def is_mapping(node: Any) -> bool:
    """Whether it holds keys."""
    return node is not None and node.id == "mapping"


def is_block(node: Any) -> bool:
    """Whether it is written in lines, not in brackets."""
    return not node.flow_style


def is_empty_scalar(node: Any) -> bool:
    """Whether it is a null, written or left out."""
    return node is not None and node.id == "scalar" and str(node.tag).endswith(":null")


def child(node: Any, name: str) -> tuple[Any, Any] | None:
    """The key and the value of that name. Raises: CannotEdit where it is there twice: readers differ in it."""
    pairs = node.value if is_mapping(node) else []
    found = [(key, value) for key, value in pairs if key.id == "scalar" and key.value == name]
    if len(found) > 1:
        raise CannotEdit(f"{name} is there twice; remove one of them.", found[1][0].start_mark.line + 1)
    return found[0] if found else None


def ends_at(text: str, key: Any, value: Any) -> int:
    """The end of the line on which a value ends; `key` is what stands before it, or the value itself."""
    if value.start_mark.index < key.start_mark.index:
        value = key  # An alias: the node is the one that it stands for, elsewhere.
    if value.id in ("mapping", "sequence") and is_block(value) and value.value:
        last = value.value[-1]
        return ends_at(text, *last) if value.id == "mapping" else ends_at(text, last, last)
    at = value.end_mark.index
    if value.id == "scalar" and value.style in ("|", ">") and text[:at].endswith("\n"):
        at -= 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if text[:end].endswith("\r") and end < len(text) else end


def meaning(node: Any, above: tuple[int, ...] = ()) -> Any:
    """What a node says, without how it is written, to compare."""
    if node is None:
        return None
    if id(node) in above:
        return "itself"
    inside = (*above, id(node))
    if node.id == "scalar":
        return ("null",) if is_empty_scalar(node) else (str(node.tag), node.value)
    if node.id == "sequence":
        return [meaning(one, inside) for one in node.value]
    return {_named(key, inside): meaning(value, inside) for key, value in node.value}


def _named(key: Any, above: tuple[int, ...]) -> str:
    return str(key.value) if key.id == "scalar" else repr(meaning(key, above))
