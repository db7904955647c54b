"""Macros in C++: classes of Qt, words before constructors, tests."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_cpp.pack import Cpp

VIEW = LanguageView(Cpp(), "a.cpp")
read, symbols = VIEW.read, VIEW.symbols


def test_a_class_of_qt() -> None:
    source = """\
class Window : public QObject {
  Q_OBJECT
  Q_PROPERTY(int width READ width WRITE setWidth)
public:
  explicit Window(QObject *parent);
signals:
  void changed();
public slots:
  void setWidth(int width);
private:
  Q_DISABLE_COPY(Window)
  int width_;
};
int after() { return 1; }
"""
    found = {one.qualified: one.exported for one in read(source).symbols}
    assert found == {
        "Window": True,
        "Window.Window": True,
        "Window.changed": True,
        "Window.setWidth": True,
        "Window.width_": False,
        "after": True,
    }
    assert read(source).error_line == 0


def test_words_before_what_has_no_type() -> None:
    source = """\
APP_INLINE Pool::Pool(int n) : n_(n) {}
APP_INLINE Pool::~Pool() {}
APP_INLINE Box<T>::Box(int n) {}
void APP_INLINE Pool::run(int n) {
  APP_TRY {
    for (int i = 0; i < n; i++) {
      use(i);
    }
  }
}
void Pool::lock() ACQUIRE(mutex_) { mutex_.lock(); }
"""
    names = [row[1] for row in symbols(source)]
    assert names == ["Pool.Pool", "Pool.~Pool", "Box.Box", "Pool.run", "Pool.lock"]


def test_a_word_behind_the_name_of_a_type() -> None:
    inner = "  enum Offset APP_UNDERLYING {\n    ONE = 4\n  };\n  int id() const { return 1; }\n"
    source = f"struct Page APP_FINAL : private Table {{\n{inner}}};\n"
    assert [row[:2] for row in symbols(source)] == [
        ("struct", "Page"),
        ("enum", "Page.Offset"),
        ("member", "Page.Offset.ONE"),
        ("method", "Page.id"),
    ]


def test_a_test_is_named_by_its_suite_and_its_name() -> None:
    source = (
        "TEST_F(Store, opens) {\n  int local = 1;\n  foreach (int n, list) { use(n); }\n}\nint after() { return 1; }\n"
    )
    assert [row[:2] for row in symbols(source)] == [("function", "Store.opens"), ("function", "after")]


def test_a_constructor_in_capitals_is_no_test() -> None:
    source = "class URI {\n public:\n  URI(Text text) { set(text); }\n};\n"
    assert [row[:2] for row in symbols(source)] == [("class", "URI"), ("method", "URI.URI")]
