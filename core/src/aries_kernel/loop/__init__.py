"""One turn of the agent: ask, run calls, ask again."""
