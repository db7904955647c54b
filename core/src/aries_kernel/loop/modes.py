"""How a model is given the project: which mode its family works in."""

from __future__ import annotations

from aries_kernel.settings.schema import ToolModes

__all__ = ["AUTO", "PLAIN", "mode_of"]

AUTO = "auto"
PLAIN = "bare"
"""The mode that changes nothing."""


def mode_of(settings: ToolModes, spec: str) -> str:
    """The mode for the model `provider/model`: the one that was chosen, else that of the longest name that fits.

    A family may be named as `provider/model` begins, as the model's name does, or as its last part does, which is what
    servers that pass on to others leave of it.
    """
    if settings.mode != AUTO:
        return settings.mode
    model = spec.partition("/")[2]
    names = [name.casefold() for name in (spec, model, model.rpartition("/")[2])]
    fitting = [family for family in settings.families if any(name.startswith(family.casefold()) for name in names)]
    return settings.families[max(fitting, key=len)] if fitting else PLAIN
