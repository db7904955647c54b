"""The contract of language packs, held by that of C++."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_cpp.pack import Cpp

TREE = {
    "src/main.cc": '#include "app/server.hpp"\n\nint main() {\n  app::Server server(1);\n  server.close();\n  return app::run(server);\n}\n',
    "src/server.cc": '#include "app/server.hpp"\n\nnamespace app {\nServer::Server(int n) : n_(n) {}\nvoid Server::close() { stop(); }\nint run(Server& server) { return 0; }\n}\n',
    "include/app/server.hpp": "#pragma once\n\nnamespace app {\nclass Base {};\n/// Serves.\nclass Server : public Base {\n public:\n  explicit Server(int n);\n  void close();\n private:\n  void stop() {}\n  int n_;\n};\nint run(Server& server);\n}\n",
}


class TestCpp(LanguageSuite):
    edges = frozenset({("src/main.cc", "include/app/server.hpp"), ("src/server.cc", "include/app/server.hpp")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Cpp()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
