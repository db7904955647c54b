"""Definitions of C++ files."""

from __future__ import annotations

import pytest

from aries_kernel.testing.language_view import LanguageView
from aries_language_cpp.pack import Cpp

VIEW = LanguageView(Cpp(), "a.cc")
read, symbols, uses = VIEW.read, VIEW.symbols, VIEW.uses


def test_every_kind_of_definition_has_its_span_and_its_full_name() -> None:
    source = """\
namespace shop::inner {
/// Holds.
template <typename T>
class APP_EXPORT Cart : public Base<T> {
 public:
  explicit Cart(int n) : n_(n) {}
  ~Cart();
  bool operator==(const Cart& o) const;
  virtual void add(T one) = 0;
  using Item = T;
  enum class Kind { Plain };
 private:
  int n_ = 0;
  struct In { int z; };
};
namespace {
int hidden() { return 1; }
}
constexpr int kMost = 3;
}
void shop::inner::Cart<int>::add(int one) {}
struct Plain { int x; };
"""
    assert symbols(source) == [
        ("namespace", "shop.inner", 1, 20),
        ("class", "shop.inner.Cart", 3, 15),
        ("method", "shop.inner.Cart.Cart", 6, 6),
        ("method", "shop.inner.Cart.~Cart", 7, 7),
        ("method", "shop.inner.Cart.operator==", 8, 8),
        ("method", "shop.inner.Cart.add", 9, 9),
        ("type", "shop.inner.Cart.Item", 10, 10),
        ("enum", "shop.inner.Cart.Kind", 11, 11),
        ("member", "shop.inner.Cart.Kind.Plain", 11, 11),
        ("field", "shop.inner.Cart.n_", 13, 13),
        ("struct", "shop.inner.Cart.In", 14, 14),
        ("field", "shop.inner.Cart.In.z", 14, 14),
        ("function", "shop.inner.hidden", 17, 17),
        ("constant", "shop.inner.kMost", 19, 19),
        ("method", "shop.inner.Cart.add", 21, 21),
        ("struct", "Plain", 22, 22),
        ("field", "Plain.x", 22, 22),
    ]


def test_what_is_private_or_nameless_is_not_exported() -> None:
    facts = read("class A { int own; public: int all; };\nnamespace { int none; }\nstatic int also;\nint yes;\n")
    assert [(one.name, one.exported) for one in facts.symbols] == [
        ("A", True),
        ("own", False),
        ("all", True),
        ("none", False),
        ("also", False),
        ("yes", True),
    ]
    assert [one.name for one in facts.exports] == ["A", "yes"]


@pytest.mark.parametrize(
    "head",
    [
        "class A_EXPORT B_ALIGNED Box",
        'class CAPABILITY("mutex") Box',
        "class API Box final : public Base",
        'class A_EXPORT OLD_MSG(\n    "use another") Box : public Base',
        "struct A_EXPORT Box<int>",
        "class Box final",
    ],
)
def test_words_of_macros_before_the_name_of_a_class_leave_it_whole(head: str) -> None:
    facts = Cpp().read(f"{head} {{\n  void lock();\n  int size;\n}};\n".encode(), "a.h", is_final=True)
    assert [one.qualified for one in facts.symbols] == ["Box", "Box.lock", "Box.size"]
    assert facts.error_line == 0


def test_a_class_in_capitals_and_a_variable_of_a_type_in_capitals_keep_their_names() -> None:
    source = b"class MY_BOX final {};\nstruct MY_NODE node;\nstruct S { enum MY_KIND kind : 4; };\n"
    assert [one.qualified for one in Cpp().read(source, "a.h", is_final=True).symbols] == [
        "MY_BOX",
        "node",
        "S",
        "S.kind",
    ]


def test_a_keyword_behind_a_torn_block_is_no_function() -> None:
    source = b"""\
int run() {
#if defined(A)
    try {
#endif
        return work();
    }
#if defined(A)
    catch( std::exception& ex ) {
        return 1;
    }
#endif
}
"""
    assert "catch" not in [one.name for one in Cpp().read(source, "a.cpp").symbols]
