"""The process that runs user code, seen from both ends of its pipe."""
