"""The contract of language packs, held by that of Java."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_java.pack import Java

TREE = {
    "src/main/java/app/Main.java": "package app;\n\nimport app.util.Server;\n\n/** Starts. */\npublic class Main {\n  private Server server = new Server(1);\n\n  public static void main(String[] words) { new Main().run(); }\n\n  void run() { server.close(); Helper.help(); }\n}\n",
    "src/main/java/app/Helper.java": "package app;\n\nfinal class Helper {\n  static void help() {}\n}\n",
    "src/main/java/app/util/Server.java": "package app.util;\n\npublic class Server {\n  private final int n;\n\n  public Server(int n) { this.n = n; }\n\n  public void close() {}\n}\n",
}


class TestJava(LanguageSuite):
    edges = frozenset({("src/main/java/app/Main.java", "src/main/java/app/util/Server.java")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Java()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
