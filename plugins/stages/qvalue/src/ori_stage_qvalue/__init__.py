"""The stage `qvalue`: notes that proved useful for questions like this one."""
