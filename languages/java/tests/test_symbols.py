"""Definitions of Java files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_java.pack import Java

VIEW = LanguageView(Java(), "A.java")
read, symbols, uses = VIEW.read, VIEW.symbols, VIEW.uses


def test_every_kind_of_definition_has_its_span_and_its_full_name() -> None:
    source = """\
package shop;

/**
 * Holds.
 */
@Entity
public class Cart<T> extends Base implements Bag {
  public static final int MOST = 1, LEAST = 0;
  private List<T> items;

  public Cart(int n) {}

  @Override
  public void add(T one) {
    Runnable r = new Runnable() { public void run() {} };
  }

  enum Kind { PLAIN, RICH { void shine() {} }; int n; }
  record Pair(int left, int right) { Pair { } }
  interface Bag { int SIZE = 3; void put(); }
  @interface Entity { String value() default ""; }
}
"""
    assert symbols(source) == [
        ("class", "Cart", 6, 22),
        ("constant", "Cart.MOST", 8, 8),
        ("constant", "Cart.LEAST", 8, 8),
        ("field", "Cart.items", 9, 9),
        ("method", "Cart.Cart", 11, 11),
        ("method", "Cart.add", 13, 16),
        ("method", "Cart.add.run", 15, 15),
        ("enum", "Cart.Kind", 18, 18),
        ("member", "Cart.Kind.PLAIN", 18, 18),
        ("member", "Cart.Kind.RICH", 18, 18),
        ("method", "Cart.Kind.RICH.shine", 18, 18),
        ("field", "Cart.Kind.n", 18, 18),
        ("class", "Cart.Pair", 19, 19),
        ("field", "Cart.Pair.left", 19, 19),
        ("field", "Cart.Pair.right", 19, 19),
        ("method", "Cart.Pair.Pair", 19, 19),
        ("interface", "Cart.Bag", 20, 20),
        ("constant", "Cart.Bag.SIZE", 20, 20),
        ("method", "Cart.Bag.put", 20, 20),
        ("interface", "Cart.Entity", 21, 21),
        ("method", "Cart.Entity.value", 21, 21),
    ]


def test_heads_comments_and_modifiers_are_told() -> None:
    facts = read("""\
package a.b;
class A {
  /** Runs {@code it}. */
  @Deprecated(since = "1 (2)") protected static <T> T run(
      T one) throws Exception { return one; }
  private void quiet() {}
}
""")
    _, run, quiet = facts.symbols
    assert facts.namespace == "a.b"
    assert (run.doc, run.modifiers) == ("Runs {@code it}.", '@Deprecated(since = "1 (2)") static')
    assert run.signature == "protected static <T> T run(T one) throws Exception"
    assert (run.exported, quiet.exported) == (True, False)
