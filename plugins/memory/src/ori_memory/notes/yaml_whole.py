"""Frontmatter in any YAML, by ruamel.yaml's composer; nothing is ever constructed from a tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_kernel.errors import UserError
from ori_memory.notes.scalars import Plain, Raw, typed
from ori_memory.notes.yaml_fast import Entry

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node, ScalarNode

__all__ = ["MOST_CHARACTERS", "YamlProblem", "read_whole"]

MOST_CHARACTERS = 40_000
"""The composer needs about a second for this much; longer frontmatter is read by the fast or the lenient reader."""

_MOST_NODES = 20_000
_MOST_DEPTH = 60


class YamlProblem(UserError):
    """It is not YAML, or not a mapping. `line`: 0-based within the block."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


def read_whole(inner: str) -> list[Entry]:
    """The entries of a block whose line ends are LF; of a key that occurs twice, both.

    Raises:
        YamlProblem: the block cannot be read.
    """
    if len(inner) > MOST_CHARACTERS:
        raise YamlProblem(f"is longer than {MOST_CHARACTERS} characters", 0)
    root = _compose(inner)
    if root is None:
        return []
    return _Reader().entries(root, inner.count("\n"))


def _compose(inner: str) -> Node | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        reader = YAML(typ="safe", pure=True)
        reader.composer.warn_double_anchors = False
        root: Node | None = reader.compose(inner)
        return root
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlProblem(str(error.problem or error.context), mark.line if mark else 0) from error
    except RecursionError as error:
        raise YamlProblem("is nested too deeply", 0) from error
    except (YAMLError, ValueError, AttributeError, TypeError, IndexError, AssertionError, KeyError) as error:
        # The composer meets some broken texts (a lone `%`, a bad directive) with errors of the language.
        raise YamlProblem(str(error).splitlines()[0] if str(error) else type(error).__name__, 0) from error


class _Reader:
    def __init__(self) -> None:
        self._nodes = 0

    def entries(self, root: Node, lines: int) -> list[Entry]:
        from ruamel.yaml.nodes import MappingNode

        if not isinstance(root, MappingNode):
            raise YamlProblem("is not a list of `key: value`", root.start_mark.line)
        if root.flow_style and root.value:
            starts = [root.start_mark.line] * len(root.value)
        else:
            starts = [key.start_mark.line for key, _ in root.value]
        entries = []
        for index, (key, value) in enumerate(root.value):
            following = starts[index + 1] if index + 1 < len(starts) else lines + 1
            last = max(starts[index], following - 1)
            entries.append(Entry(self._key(key), self._raw(value, 0), starts[index], last))
        return entries

    def _key(self, node: Node) -> str:
        from ruamel.yaml.nodes import ScalarNode

        if not isinstance(node, ScalarNode):
            raise YamlProblem("has a key that is not a text", node.start_mark.line)
        return str(node.value)

    def _raw(self, node: Node, depth: int) -> Raw:
        from ruamel.yaml.nodes import MappingNode, ScalarNode

        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _MOST_DEPTH:
            raise YamlProblem("refers to itself, or is nested or repeated too much", node.start_mark.line)
        if isinstance(node, ScalarNode):
            return _scalar(node)
        if isinstance(node, MappingNode):
            return {self._key(key): self._raw(value, depth + 1) for key, value in node.value}
        return [self._raw(item, depth + 1) for item in node.value]


def _scalar(node: ScalarNode) -> str:
    plain = Plain(node.value)
    # A tag written out (`!!str 5`) makes a text of what would be a number, as quotes do.
    is_text = bool(node.style) or (str(node.tag).endswith(":str") and not isinstance(typed(plain), str))
    return str(node.value) if is_text else plain
