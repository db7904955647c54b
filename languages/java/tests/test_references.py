"""Imports and uses of names in Java files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_java.pack import Java

VIEW = LanguageView(Java(), "A.java")
read, uses = VIEW.read, VIEW.uses


def test_imports_name_types_members_and_everything() -> None:
    source = """\
import java.util.List;
import static org.junit.Assert.assertEquals;
import static a.B.*;
import a.c.*;
class X {}
"""
    assert [(one.module, one.name, one.local) for one in read(source).imports] == [
        ("java.util", "List", "List"),
        ("org.junit", "Assert", "assertEquals"),
        ("a.B", "*", ""),
        ("a.c", "*", ""),
    ]


def test_kinds_of_uses_are_told_apart() -> None:
    source = """\
import p.Note;
import p.Base;
import p.Face;
import p.Made;
@Note(key = 1)
class X extends Base implements Face {
  Made made = new Made(Face.SIZE);
}
"""
    assert uses(source) == [
        (5, "decorator", "p:Note", ""),
        (6, "base", "p:Base", ""),
        (6, "base", "p:Face", ""),
        (7, "type", "p:Made", ""),
        (7, "new", "p:Made", ""),
        (7, "use", "p:Face", "SIZE"),
    ]


def test_constructors_that_are_handed_over_and_patterns_of_records_name_their_types() -> None:
    source = """\
import p.Made;
import p.Pair;
class X {
  Object f(Object o) { return o instanceof Pair(int a, var b) ? g(Made::new) : h(Made.Inner::new, Near::new); }
}
"""
    assert uses(source) == [
        (4, "type", "p:Pair", ""),
        (4, "new", "p:Made", ""),
        (4, "new", "p:Made", "Inner"),
        (4, "new", "Near?", ""),
    ]


def test_types_of_the_package_are_open_and_those_of_the_language_are_not() -> None:
    source = "class X { Neighbour n; String s; void f() { Other.go(); inherited(); System.exit(1); } }\n"
    assert uses(source) == [(1, "type", "Neighbour?", ""), (1, "call", "Other?", "go")]


def test_calls_on_values_of_a_declared_type_lead_to_the_type() -> None:
    source = """\
import p.Remote;
class Server {
  Remote remote;
  Conn conn;
  <T> void run(Remote far, T any, Server[] many) {
    this.stop();
    stop();
    this.conn.close();
    remote.go();
    far.go();
    any.go();
    many.clone();
    var made = new Server();
    made.stop();
    for (Remote each : list) each.go();
    try (Conn c = open()) { c.close(); } catch (One | Two e) { e.go(); }
    Runnable r = x -> x.go();
  }
  void stop() {}
}
class Conn {}
"""
    assert [row for row in uses(source) if row[1] == "call"] == [
        (6, "call", "Server", "stop"),
        (7, "call", "Server.stop", ""),
        (8, "call", "Conn", "close"),
        (9, "call", "p:Remote", "go"),
        (10, "call", "p:Remote", "go"),
        (14, "call", "Server", "stop"),
        (15, "call", "p:Remote", "go"),
        (16, "call", "Conn", "close"),
    ]


def test_locals_hide_members_and_full_names_become_imports() -> None:
    source = """\
class A {
  int n;
  void f(int n) { use(n); }
  void g() { use(n); a.b.Deep.run(); java.util.Set<A> s = null; }
  void use(int n) {}
}
"""
    assert uses(source) == [
        (3, "call", "A.use", ""),
        (4, "call", "A.use", ""),
        (4, "use", "A.n", ""),
        (4, "call", "a.b:Deep", "run"),
        (4, "type", "java.util:Set", ""),
        (4, "type", "A", ""),
    ]


def test_a_class_exports_what_a_path_through_it_may_ask_for() -> None:
    source = (
        "public class A { public static class In {} private static class Own {} static void make() {} void f() {} }\n"
    )
    assert [(one.name, one.is_public) for one in read(source).exports] == [("A", True), ("In", False), ("make", False)]


def test_a_value_whose_type_is_a_parameter_leads_to_no_class_of_that_name() -> None:
    source = "class Range<T> { T least; Other most; boolean is(Range<T> o) { return least.is(o) && most.is(o); } }\n"
    assert [row for row in uses(source) if row[1] == "call"] == [(1, "call", "Other?", "is")]


def test_bare_names_in_a_class_with_bases_are_first_those_that_it_inherits() -> None:
    source = """\
package a;
import static a.Other.make;
class X extends Base {
  void f(int own) { go(); super.go(); use(own); count += 1; LIMIT.get(); make(); new Face() { void g() { there(); } }; }
}
class Y { void f() { go(); } }
"""
    assert uses(source) == [
        (3, "base", "Base?", ""),
        (4, "call", "X", "go"),
        (4, "call", "X", "go"),
        (4, "call", "X", "use"),
        (4, "use", "X", "count"),
        (4, "call", "X", "LIMIT.get"),
        (4, "call", "a:Other", "make"),
        (4, "new", "X", "Face"),
    ]
