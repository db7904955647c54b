"""What every session is told about its project from the start: a summary from the index, if there is one."""

from __future__ import annotations

from pathlib import Path

from aries_kernel.errors import UserError
from aries_kernel.hookspecs import hookimpl
from aries_kernel.model.session import PromptSection, SessionInfo

__all__ = ["Ambient"]

_TITLE = "The project"
_ABOUT = "From the code graph, when it was last used; `codebase` in the REPL and `aries graph` tell more."


class Ambient:
    """Reads what is kept and indexes nothing: the first session of a project has no summary, and starts as fast."""

    @hookimpl
    def aries_prompt_sections(self, session: SessionInfo) -> PromptSection | None:
        """The summary at the length that the person wants."""
        if session.overview == "off":
            return None
        text = _kept(session.cwd, session.overview)
        return PromptSection(_TITLE, f"{_ABOUT}\n\n{text}") if text else None


def _kept(folder: Path, level: str) -> str | None:
    from aries_body.index.place import cache_folder
    from aries_body.operations.overview import kept_overview
    from aries_body.tree.root import find_root, known_home, real_root

    home = known_home()
    try:
        # The body's own index is that of the folder; commands keep one of the whole repository.
        roots = dict.fromkeys((real_root(folder, home), find_root(folder, home)))
    except UserError:
        return None  # No folder that anybody indexes.
    return next((text for root in roots if (text := kept_overview(root, cache_folder(), level))), None)
