"""The weights of a likeness, fitted to labelled pairs of code."""

from __future__ import annotations

from collections.abc import Sequence

from aries_body.judgement.comparing import Evidence
from aries_body.judgement.duplicates import parts_of

__all__ = ["weights_of"]

_STEPS, _RIDGE = 80, 0.5
_UNLIKE_WEIGHS = 60.0
"""A false hit costs more than a copy that is not told of: it is read by somebody."""


def weights_of(rows: Sequence[tuple[bool, Evidence]]) -> dict[str, float]:
    """Logistic regression by Newton's method."""
    import numpy as np

    inputs = np.array([(1.0, *parts_of(one)) for _, one in rows])
    labels = np.array([float(is_copy) for is_copy, _ in rows])
    copies = labels.sum()
    weights = np.where(labels > 0, 1 / copies, _UNLIKE_WEIGHS / (len(labels) - copies)) * len(labels) / 4
    found = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        sure = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        bend = (inputs.T * (weights * sure * (1 - sure) + 1e-9)) @ inputs + _RIDGE * np.eye(len(found))
        found += np.linalg.solve(bend, inputs.T @ (weights * (labels - sure)) - _RIDGE * found)
    return dict(
        zip(
            ("base", "held", "stretches", "names", "names share", "all but names"), found.round(1).tolist(), strict=True
        )
    )
