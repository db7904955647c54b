"""The contract of language packs, held by that of Java."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_java.pack import Java

TREE = {
    "src/main/java/app/Main.java": """\
package app;

import app.util.Server;

/** Starts. */
public class Main {
  private Server server = new Server(1);

  public static void main(String[] words) { new Main().run(); }

  void run() { server.close(); Helper.help(); }
}
""",
    "src/main/java/app/Helper.java": """\
package app;

final class Helper {
  static void help() {}
}
""",
    "src/main/java/app/util/Server.java": """\
package app.util;

public class Server {
  private final int n;

  public Server(int n) { this.n = n; }

  public void close() {}
}
""",
}


class TestJava(LanguageSuite):
    edges = frozenset({("src/main/java/app/Main.java", "src/main/java/app/util/Server.java")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Java()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
