"""One function in each language that a pack reads, and things that are done to it."""

from __future__ import annotations

import re

from attrs import frozen

from aries_kernel.contracts.lexis import words

__all__ = ["LANGUAGES", "Sample", "renamed"]


@frozen
class Sample:
    """A file with a function, and others that are nothing like it."""

    language: str
    suffix: str
    code: str
    name: str
    others: str
    comment: str
    """A line of comment."""
    statement: str
    """One that may stand before the last line of the body, with its indentation."""
    before: str
    """The line it goes in front of."""
    body: str
    """The lines of the body alone."""


_PYTHON = '''def collect_totals(orders, currency, limit=10):
    """Sum orders by customer."""
    totals = {}
    for order in orders:
        if order.currency != currency or order.amount <= 0:
            continue
        key = order.customer.lower()
        totals[key] = totals.get(key, 0) + order.amount * 1.19
    return sorted(totals.items(), key=lambda item: -item[1])[:limit]
'''
_PYTHON_OTHERS = """def greet(name):
    while True:
        yield f"hello {name}"


def add_tax(price):
    return price * 1.19


def nothing(value):
    pass


def wipe(path):
    pass


def read_lines(path, encoding):
    with open(path, encoding=encoding) as stream:
        try:
            return [line.strip() for line in stream]
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is no text") from error
"""
_JAVASCRIPT = """function collectTotals(orders, currency, limit) {
  const totals = new Map();
  for (const order of orders) {
    if (order.currency !== currency || order.amount <= 0) continue;
    const key = order.customer.toLowerCase();
    totals.set(key, (totals.get(key) || 0) + order.amount * 1.19);
  }
  return [...totals.entries()].slice(0, limit);
}
"""
_TYPESCRIPT = _JAVASCRIPT.replace("(orders, currency, limit)", "(orders: Order[], currency: string, limit: number)")
_JAVASCRIPT_OTHERS = """function greet(name) {
  return `hello ${name}`;
}

async function load(path, options) {
  try {
    const response = await fetch(path, { method: "POST", ...options });
    return await response.json();
  } catch (error) {
    throw new Error("could not load");
  }
}
"""
_GO = """func CollectTotals(orders []Order, currency string, limit int) []Total {
\ttotals := map[string]float64{}
\tfor _, order := range orders {
\t\tif order.Currency != currency || order.Amount <= 0 {
\t\t\tcontinue
\t\t}
\t\tkey := strings.ToLower(order.Customer)
\t\ttotals[key] += order.Amount * 1.19
\t}
\treturn sorted(totals, limit)
}
"""
_GO_OTHERS = """func Load(path string) ([]byte, error) {
\tfile, err := os.Open(path)
\tif err != nil {
\t\treturn nil, fmt.Errorf("open: %w", err)
\t}
\tdefer file.Close()
\treturn io.ReadAll(file)
}
"""
_RUST = """pub fn collect_totals(orders: &[Order], currency: &str, limit: usize) -> Vec<(String, f64)> {
    let mut totals = HashMap::new();
    for order in orders {
        if order.currency != currency || order.amount <= 0.0 {
            continue;
        }
        let key = order.customer.to_lowercase();
        *totals.entry(key).or_insert(0.0) += order.amount * 1.19;
    }
    totals.into_iter().take(limit).collect()
}
"""
_RUST_OTHERS = """fn load(path: &Path) -> Result<String, Error> {
    let file = File::open(path)?;
    let mut text = String::new();
    BufReader::new(file).read_to_string(&mut text).map_err(|error| Error::from(error))?;
    match text.is_empty() {
        true => Err(Error::Empty),
        false => Ok(text),
    }
}
"""
_JAVA = """    public List<Entry> collectTotals(List<Order> orders, String currency, int limit) {
        Map<String, Double> totals = new HashMap<>();
        for (Order order : orders) {
            if (!order.currency().equals(currency) || order.amount() <= 0) {
                continue;
            }
            String key = order.customer().toLowerCase();
            totals.merge(key, order.amount() * 1.19, Double::sum);
        }
        return sorted(totals).subList(0, limit);
    }
"""
_JAVA_OTHERS = """    public String load(Path path) throws IOException {
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> !line.isBlank()).collect(Collectors.joining(","));
        } catch (UncheckedIOException error) {
            throw new IOException("could not load", error);
        }
    }
"""
_C = """static int collect_totals(const struct order *orders, size_t count, double *totals)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (orders[i].amount <= 0 || orders[i].currency != 3) {
            continue;
        }
        totals[orders[i].customer] += orders[i].amount * 1.19;
        used++;
    }
    return used > 0 ? (int)used : -1;
}
"""
_C_OTHERS = """static char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text;
    if (file == NULL)
        return NULL;
    text = malloc(4096);
    if (text != NULL && fread(text, 1, 4096, file) == 0)
        goto fail;
    fclose(file);
    return text;
fail:
    free(text);
    fclose(file);
    return NULL;
}
"""


def _inside(code: str) -> str:
    return "\n".join(code.rstrip().split("\n")[1:-1]).lstrip("{\n") + "\n"


def _sample(language: str, suffix: str, code: str, others: str, name: str, more: str, before: str) -> Sample:
    comment = "# said again" if language == "python" else "// said again"
    body = "\n".join(code.rstrip().split("\n")[2:]) + "\n" if language == "python" else _inside(code)
    return Sample(language, suffix, code, name, others, comment, more, before, body)


LANGUAGES = (
    _sample("python", "py", _PYTHON, _PYTHON_OTHERS, "collect_totals", "    log(totals)\n", "    return sorted"),
    _sample(
        "javascript", "js", _JAVASCRIPT, _JAVASCRIPT_OTHERS, "collectTotals", "  log(totals);\n", "  return [...totals"
    ),
    _sample(
        "typescript", "ts", _TYPESCRIPT,
        _JAVASCRIPT_OTHERS, "collectTotals", "  log(totals);\n", "  return [...totals",
    ),
    _sample("go", "go", _GO, _GO_OTHERS, "CollectTotals", "\tlog(totals)\n", "\treturn sorted"),
    _sample("rust", "rs", _RUST, _RUST_OTHERS, "collect_totals", "    log(&totals);\n", "    totals.into_iter"),
    _sample(
        "java", "java", _JAVA, _JAVA_OTHERS, "Sums.collectTotals", "        log(totals);\n", "        return sorted"
    ),
    _sample("c", "c", _C, _C_OTHERS, "collect_totals", "    log(totals);\n", "    return used"),
    _sample("cpp", "cpp", _C, _C_OTHERS, "collect_totals", "    log(totals);\n", "    return used"),
)  # fmt: skip


_KEPT = words(
    "def for in if or continue return lambda not pass function const new of let func range map string int "
    "struct static size_t double char pub fn mut while yield with try except as raise from public throws catch "
    "throw async await usize str f64 Vec String Double List Map number float64 goto NULL self impl class"
)


def renamed(code: str) -> str:
    """With other names for everything that is no word of a language."""
    kept = _KEPT
    names: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        word = match[0]
        return word if word in kept else names.setdefault(word, f"zz{len(names)}")

    return re.sub(r'(?<![\w"])[A-Za-z_]\w*(?!\w*")', other, code)
