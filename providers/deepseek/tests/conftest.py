"""No example of a property test has a time limit: on a busy machine it would say something about the machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")
