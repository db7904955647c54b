"""Files and symbols as graphs: ranks, groups, ways, circles, layers, and what changed together."""
