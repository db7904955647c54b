"""Bodies, as in every folder of tests that has to do with the process."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from made_bodies import body, make_body, project

__all__ = ["body", "make_body", "project"]
