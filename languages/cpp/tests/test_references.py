"""Uses of names in C++ files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_cpp.pack import Cpp

VIEW = LanguageView(Cpp(), "a.cc")
read, uses = VIEW.read, VIEW.uses


def test_kinds_of_uses_are_told_apart() -> None:
    source = """\
class A : public Base, private ns::Other {};
void f() { auto* a = new Made(1); Kind::run(); free_call<int>(2); }
"""
    assert uses(source) == [
        (1, "base", "Base?", ""),
        (1, "base", "Other?", ""),
        (2, "new", "Made?", ""),
        (2, "call", "Kind?", "run"),
        (2, "call", "free_call?", ""),
    ]


def test_namespaces_are_left_out_since_files_share_them() -> None:
    source = """\
namespace app {
int here();
void f() { app::here(); app::there(); lib::deep::Thing::make(); std::sort(1); lib::go(); }
}
"""
    assert uses(source) == [
        (3, "call", "app.here", ""),
        (3, "call", "there?", ""),
        (3, "call", "Thing?", "make"),
        (3, "call", "go?", ""),
    ]


def test_members_are_seen_in_methods_also_outside_of_the_class() -> None:
    source = """\
class A {
 public:
  void f();
  void g() { h(); this->n = 1; }
  void h();
  int n;
};
void A::f() { h(); n = 2; this->h(); outside(); }
"""
    assert uses(source) == [
        (4, "call", "A.h", ""),
        (4, "use", "A", "n"),
        (8, "type", "A", ""),
        (8, "call", "A.h", ""),
        (8, "use", "A.n", ""),
        (8, "call", "A", "h"),
        (8, "call", "outside?", ""),
    ]


def test_locals_hide_and_their_types_lead_on() -> None:
    source = """\
#include "far.h"
struct Conn { void close(); };
struct Server { std::unique_ptr<Conn> conn; };
int x;
template <typename T>
void run(Server& s, const far::Remote* r, T t) {
  s.conn->close();
  r->go();
  t.go();
  int x = 1;
  auto f = [&](Conn c) { c.close(); return x; };
  for (auto& each : s) each.go();
}
int y = x;
"""
    assert [row for row in uses(source) if row[0] > 6] == [
        (7, "call", "Conn", "close"),
        (8, "call", "Remote?", "go"),
        (11, "type", "Conn", ""),
        (11, "call", "Conn", "close"),
        (14, "use", "x", ""),
    ]


def test_the_head_of_a_method_outside_of_its_class_calls_nothing() -> None:
    source = """\
struct A { struct In { void deep(); }; void go(); static int zero; ~A(); bool operator==(int) const; };
int A::zero = 0;
void A::In::deep() {}
void A::go() { go(); }
A::~A() {}
bool A::operator==(int n) const { return n; }
template <> void Box<int>::run() {}
"""
    assert uses(source) == [
        (2, "type", "A", ""),
        (3, "type", "A", "In"),
        (4, "type", "A", ""),
        (4, "call", "A.go", ""),
        (5, "type", "A", ""),
        (6, "type", "A", ""),
        (7, "type", "Box?", ""),
    ]
