"""The contract of language packs, held by that of C++."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_cpp.pack import Cpp

TREE = {
    "src/main.cc": """\
#include "app/server.hpp"

int main() {
  app::Server server(1);
  server.close();
  return app::run(server);
}
""",
    "src/server.cc": """\
#include "app/server.hpp"

namespace app {
Server::Server(int n) : n_(n) {}
void Server::close() { stop(); }
int run(Server& server) { return 0; }
}
""",
    "include/app/server.hpp": """\
#pragma once

namespace app {
class Base {};
/// Serves.
class Server : public Base {
 public:
  explicit Server(int n);
  void close();
 private:
  void stop() {}
  int n_;
};
int run(Server& server);
}
""",
}


class TestCpp(LanguageSuite):
    edges = frozenset({("src/main.cc", "include/app/server.hpp"), ("src/server.cc", "include/app/server.hpp")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Cpp()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
