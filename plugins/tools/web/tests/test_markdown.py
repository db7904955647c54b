"""Pages as markdown."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aries_tool_web.markdown import converted

URL = "https://docs.example/guide/page.html"


def text(html: str, url: str = URL) -> str:
    return str(converted(html, url)["text"])


def test_headings_lists_code_and_tables_stay_what_they_are() -> None:
    html = """<title> The  guide </title><body><h1>Guide</h1><p>Some <b>bold</b> and <code>inline</code> words.</p>
    <ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol>
    <div class="highlight-python"><div class="highlight"><pre><span></span><span>def</span> f():
        return 1

    x = 2</pre></div></div>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x | y</td></tr></table>"""
    page = converted(html, URL)
    assert page["title"] == "The guide" and page["notes"] == []
    shown = page["text"]
    assert "# Guide" in shown and "Some **bold** and `inline` words." in shown
    assert "1. one\n   - inner\n2. two" in shown
    assert "```python\ndef f():\n        return 1\n\n    x = 2\n```" in shown
    assert "| a | b |\n| --- | --- |\n| 1 | x \\| y |" in shown


def test_links_are_absolute_and_without_users_and_programs() -> None:
    html = (
        '<a href="../other?a=b#c">one</a> <a href="//cdn.example/x">two</a> <a href="javascript:f()">three</a> '
        '<a href="http://me:secret@h.example/">four</a> <a href="#below">five</a> <a href="http://[bad">six</a> '
        '<img src="p.png" alt="a picture"> <img src="data:image/png;base64,AAAA" alt="drawn"> <img src="t.gif">'
    )
    shown = text(html)
    assert "[one](https://docs.example/other?a=b#c) [two](https://cdn.example/x) three" in shown
    assert "[four](http://h.example/) five six" in shown and "secret" not in shown
    assert "![a picture](https://docs.example/guide/p.png) drawn" in shown
    assert "base64" not in shown and "t.gif" not in shown
    assert "[x](https://elsewhere.example/y)" in text('<base href="https://elsewhere.example/"><a href="y">x</a>')


def test_programs_and_hidden_parts_are_not_read() -> None:
    html = """<style>p{}</style><script>alert('s1')</script><noscript>turn it on</noscript><!-- secret note -->
    <p hidden>h1</p><p aria-hidden="true">h2</p><p style="color: red; display : none">h3</p>
    <p style="visibility:hidden">h4</p><span style="font-size:0px">h5</span><template>h6</template>
    <button>Copy</button><textarea>h7</textarea><svg><text>h8</text></svg><p>seen</p>"""
    assert text(html) == "seen"


def test_menus_and_footers_are_left_out_and_a_marked_text_is_all_that_counts() -> None:
    around = "<nav>menu</nav><div role=banner>banner</div>{}<aside>ads</aside><footer>imprint</footer>"
    assert text(around.format("<div><p>The text itself.</p></div>")) == "The text itself."
    marked = "<div>skip me</div><main><header><h1>Title</h1></header><p>The text itself, and more of it.</p></main>"
    assert text(around.format(marked)) == "# Title\n\nThe text itself, and more of it."


def test_a_list_of_articles_is_read_whole_and_an_almost_empty_main_part_is_not_believed() -> None:
    assert "first" in (shown := text("<article>first</article><article>second</article>")) and "second" in shown
    assert "much more" in text(f"<main>x</main><div>{'much more text ' * 20}</div>")


def test_signs_beside_headings_and_line_numbers_are_left_out() -> None:
    html = """<h2 id=a>Part<a class=headerlink href="#a">¶</a></h2><h3><a href="page.html#b">#</a>Sub</h3>
    <pre><span class="linenos">1</span>code</pre>"""
    assert text(html) == "## Part\n\n### Sub\n\n```\ncode\n```"


def test_a_table_that_arranges_a_page_becomes_its_parts_and_one_of_data_stays() -> None:
    inner = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    html = f"<table><tr><td><h2>Left</h2></td><td><p>words</p>{inner}</td></tr></table>"
    assert text(html) == "## Left\n\nwords\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert text("<table role=presentation><tr><td>one</td></tr><tr><td>two</td></tr></table>") == "one\n\ntwo"
    numbered = (
        "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>x = 1\ny = 2</pre></td></tr></table>"
    )
    assert text(numbered) == "```\nx = 1\ny = 2\n```"


def test_what_kept_a_page_empty_is_told() -> None:
    assert converted("<div id=root></div><script src=app.js></script>", URL)["notes"] == [
        "there is little text in it: programs in the page, which are not run, may bring the rest"
    ]
    assert converted("<form>Sign in<input type=password></form>", URL)["notes"] == ["it looks like a login page"]
    sent = '<meta http-equiv="Refresh" content="0; url=new.html">'
    assert converted(sent, URL)["notes"] == ["it sends browsers on to new.html"]


@pytest.mark.parametrize("tag", ["div", "b", "ul", "blockquote", "table", "span", "a href=x", "pre"])
def test_a_page_that_is_nested_without_end_gives_its_bare_text(tag: str) -> None:
    page = converted(f"<{tag}>" * 3000 + "deep words", URL)
    assert "deep words" in page["text"]


_TAGS = [
    "div", "p", "a href='x'", "pre", "code", "table", "tr", "td", "th colspan=99", "ul", "li", "h1", "main", "br",
    "article", "nav", "img src=x alt=y", "base href='http://['", "meta charset=x", "script", "q", "dl", "dt", "dd",
    "![CDATA[", "?xml", "svg", "a href='http://[::'", "td rowspan=-1", "video", "ol start=x", "!doctype", "title",
    "input type=password", "p hidden", "p style='display:none'", "!--", "body", "html", "template",
]  # fmt: skip
_PIECES = st.one_of(
    st.sampled_from(_TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(_TAGS).map(lambda tag: f"</{tag.split()[0]}>"),
    st.text(max_size=15),
    st.sampled_from(["&amp;", "&#0;", "&#xd800;", "&#99999999;", "```", "<", "-->", "|", "\n", "<![", "\x00"]),
)


@settings(max_examples=100)
@given(st.lists(_PIECES, max_size=40).map("".join))
@example("<table><tr><td>" * 3)
@example("<![")
def test_no_html_raises_anything_or_grows_without_end(html: str) -> None:
    page = converted(html, URL)
    assert set(page) == {"title", "text", "notes"}
    assert len(page["text"]) < 200 * (len(html) + 10)


STARTED = """
import subprocess, sys
page = b'"http://x"\\n' + b"<div><p>x <b>y</b></p>" * 400_000
one = subprocess.Popen([sys.executable, "-m", "aries_tool_web.markdown", "300"], stdin=subprocess.PIPE)
one.stdin.write(page)
print(one.pid, flush=True)
one.stdin.close()
one.wait()
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the time limit alone ends it")
def test_a_conversion_ends_with_the_program_that_wanted_it() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTED], stdout=subprocess.PIPE, encoding="utf-8") as program:
        assert program.stdout is not None
        converting = psutil.Process(int(program.stdout.readline()))
        program.kill()
    converting.wait(30)
