"""Tools that read the web: WebFetch and WebSearch."""
