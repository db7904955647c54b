"""Uses of names in Go files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_go.pack import Go

VIEW = LanguageView(Go(), "a.go")
read, uses = VIEW.read, VIEW.uses


def test_names_of_imports_lead_to_them_by_alias_or_likely_name() -> None:
    source = """\
package a

import (
\t"fmt"
\tf "example.com/x/format"
\t"gopkg.in/yaml.v3"
\t"example.com/go-tool/v2"
\t_ "example.com/side"
\t. "example.com/all"
)

var c http.Client

func run() {
\tfmt.Println(f.Wide, yaml.New().Go())
\ttool.Do()
\tFree()
}
"""
    assert [(one.module, one.name, one.local) for one in read(source).imports] == [
        ("fmt", "", "fmt"),
        ("example.com/x/format", "", "f"),
        ("gopkg.in/yaml.v3", "", "yaml"),
        ("example.com/go-tool/v2", "", "tool"),
        ("example.com/side", "", ""),
        ("example.com/all", "*", ""),
    ]
    assert uses(source) == [
        (12, "type", "http?", "Client"),
        (15, "call", "fmt:", "Println"),
        (15, "use", "example.com/x/format:", "Wide"),
        (15, "call", "gopkg.in/yaml.v3:", "New"),
        (16, "call", "example.com/go-tool/v2:", "Do"),
        (17, "call", "Free?", ""),
    ]


def test_parameters_and_variables_hide_from_where_they_are_declared_to_the_end_of_their_block() -> None:
    source = """\
package a

var x, other int

func f(x int) int { return x }

func g() {
\tx := h(x)
\t_ = x
\tif other := x; other > 0 {
\t\t_ = other
\t}
\tfor other := range x {
\t\t_ = other
\t}
\tfunc(other int) { _ = other }(other)
\t_ = other
}

func h(n int) int { return x }
"""
    assert [(line, root) for line, kind, root, _ in uses(source) if root in ("x", "other")] == [
        (8, "x"),
        (16, "other"),
        (17, "other"),
        (20, "x"),
    ]


def test_calls_on_values_of_a_declared_type_lead_to_the_type() -> None:
    source = """\
package a

import "net/http"

type Conn struct{}
type Server struct {
\tconn *Conn
\tclient http.Client
}

func (s *Server) Run(r *Remote, n int) {
\ts.stop()
\ts.conn.Close()
\ts.client.Get("x")
\tr.Go()
\tmade := &Server{conn: nil}
\tmade.stop()
\tvar c Conn
\tc.Close()
\tguess := pick()
\tguess.stop()
}
"""
    assert [row for row in uses(source) if row[1] == "call"] == [
        (12, "call", "Server", "stop"),
        (13, "call", "Conn", "Close"),
        (14, "call", "net/http:", "Client.Get"),
        (15, "call", "Remote?", "Go"),
        (17, "call", "Server", "stop"),
        (19, "call", "Conn", "Close"),
        (20, "call", "pick?", ""),
    ]


def test_embedding_literals_and_keys_are_told_apart() -> None:
    source = """\
package a

type S struct {
\tBase
\tn int
}

var m = map[string]S{Key: {n: Value}}
var s = S{n: Value}
"""
    assert uses(source) == [
        (4, "base", "Base?", ""),
        (8, "type", "S", ""),
        (8, "use", "Key?", ""),
        (8, "use", "Value?", ""),
        (9, "new", "S", ""),
        (9, "use", "Value?", ""),
    ]


def test_parameters_of_types_are_local() -> None:
    source = "package a\n\nfunc Map[T any](one T) []T { return nil }\n\nfunc (l *List[E]) Add(one E) {}\n"
    assert uses(source) == [(5, "type", "List?", "")]
