"""Names for folders that settings of bundlers give, and those that frameworks begin with."""

from __future__ import annotations

import pytest

from aries_kernel.contracts.language import FileFacts, Import, Missing, Target
from aries_kernel.testing.language_suite import TreeProject
from aries_language_javascript.pack import JavaScript


def found(module: str, texts: dict[str, str], *files: str, path: str = "src/app.js") -> str:
    """The file that a module means for a file, or the reason why it means none."""
    project = TreeProject(texts, dict.fromkeys((path, *files), FileFacts("javascript")))
    answer = JavaScript().resolver(project).resolve(path, Import(1, "import", module))
    if isinstance(answer, Missing):
        return answer.reason
    assert isinstance(answer, Target)
    return answer.files[0]


@pytest.mark.parametrize(
    "value",
    [
        "{ '@': path.resolve(__dirname, 'src') }",
        '{ "@": path.join(__dirname, "./src"), }',
        "{ '@': fileURLToPath(new URL('./src', import.meta.url)) }",
        "{ '@': `${__dirname}/src` }",
        "{ '@': '/src' }",
        "{ '@': './src' }",
        "{ '@/': './src' }",
        "{ '@/*': './src/*' }",
        "{ other: './lib', // the rest\n '@': r('src') }",
        "{ '@': source }",
        "[{ find: '@', replacement: resolve(__dirname, 'src') }]",
        "[{ find: /^@\\//, replacement: path.resolve('./src') + '/' }]",
    ],
)
@pytest.mark.parametrize("name", ["vite.config.ts", "webpack.config.js"])
def test_an_alias_that_is_data_leads_to_its_folder(value: str, name: str) -> None:
    text = f"const source = path.resolve(__dirname, 'src')\nexport default {{ resolve: {{ alias: {value} }} }}\n"
    assert found("@/util", {name: text}, "src/util.js") == "src/util.js"


@pytest.mark.parametrize(
    "value", ["{ '@': pick(one, two) }", "{ '@': `${base}/src` }", "alias()", "{", "[{ find: '@' }]"]
)
def test_an_alias_that_is_computed_stays_external(value: str) -> None:
    assert found("@/util", {"vite.config.ts": f"export default {{ alias: {value} }}"}, "src/util.js") == "external"


def test_an_alias_does_not_take_scoped_packages() -> None:
    assert found("@scope/util", {"vite.config.ts": "alias: { '@': './src' }"}, "src/util.js") == "external"


def test_a_nearer_configuration_comes_first() -> None:
    texts = {"vite.config.ts": "alias: { '@': './src' }", "app/vite.config.ts": "alias: { '@': './lib' }"}
    assert found("@/util", texts, "src/util.js", "app/lib/util.js", path="app/a.js") == "app/lib/util.js"


@pytest.mark.parametrize(
    ("module", "texts", "file"),
    [
        ("$lib/util", {"svelte.config.js": ""}, "src/lib/util.js"),
        ("$lib", {"package.json": '{"devDependencies": {"@sveltejs/kit": "2"}}'}, "src/lib/index.js"),
        ("$lib/util", {"svelte.config.js": "export default { kit: { files: { lib: 'lib' } } }"}, "lib/util.js"),
        ("~/util", {"nuxt.config.ts": ""}, "util.js"),
        ("@/util", {"nuxt.config.ts": ""}, "app/util.js"),
        ("~/util", {"nuxt.config.ts": "export default { srcDir: 'client/' }"}, "client/util.js"),
        ("~~/server/util", {"nuxt.config.ts": ""}, "server/util.js"),
        ("#shared/util", {"nuxt.config.ts": ""}, "shared/util.js"),
        ("@/util", {"vue.config.js": ""}, "src/util.js"),
        ("@/util", {"package.json": '{"devDependencies": {"laravel-vite-plugin": "1"}}'}, "resources/js/util.js"),
    ],
)
def test_names_that_frameworks_begin_with_lead_to_files(module: str, texts: dict[str, str], file: str) -> None:
    assert found(module, texts, file) == file


def test_what_a_framework_writes_itself_is_external() -> None:
    assert found("./$types", {"svelte.config.js": ""}) == "external"
    assert found("#imports", {"nuxt.config.ts": "", "package.json": "{}"}) == "external"
    assert found("./$types", {}) == found("#imports", {}) == "not found"


def test_a_component_of_vue_is_found_without_its_ending_behind_all_others() -> None:
    assert found("./Card", {}, "src/Card.vue") == "src/Card.vue"
    assert found("./Card", {}, "src/Card.vue", "src/Card.js") == "src/Card.js"


@pytest.mark.parametrize(
    "text",
    [
        "a: b(" * 20_000 + "alias: {" * 2_000,
        "alias: {" * 20_000,
        "/* " * 60_000,
        "/\\" * 60_000,
        '"\\' * 60_000,
        '"a": b,' * 20_000,
    ],
    ids=["calls", "names", "comments", "patterns", "texts", "entries"],
)
def test_a_long_configuration_costs_no_more_than_its_length(text: str) -> None:
    assert found("@/util", {"vite.config.ts": "alias: { " + text}, "src/util.js") == "external"
