"""How well retrieval finds: data sets and a vault's own questions, metrics with intervals, baselines, ablations."""
