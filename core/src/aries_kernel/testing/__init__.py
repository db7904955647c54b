"""Contract suites and fakes, for plugin authors and for us. Needs pytest."""
