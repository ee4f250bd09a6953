"""The pages of a catalogue, as files: what they say, what they link, what they refuse, and how they are written."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import sys
from base64 import b64encode
from html import unescape
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest

import page_sample
import toolglot
from rows import for_each
from streams import Ran, run
from toolglot.cli import cli
from toolglot.cli.option_types import CatalogTarget
from toolglot.converter import formats
from toolglot.converter.files import generated_folders
from toolglot.converter.files.commit import Commit
from toolglot.converter.hub.model import Tool
from toolglot.errors import WriteError
from toolglot.verbs.cards import badges, markdown, tool_card
from toolglot.verbs.catalogs.pages import html_site

markdown_it = pytest.importorskip("markdown_it", reason="the extra `pages` is not installed")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_sample.write_tools(tmp_path_factory.mktemp("sources") / "repository")


@pytest.fixture(scope="module")
def folder(sources: Path) -> Path:
    """The site of the sample, made once; no test changes it."""
    made = sources.parent / "site"
    ran = page_sample.make_site(made, sources)
    assert (ran.code, ran.stderr) == (0, "17 tools of 8 files\n")
    return made


class Page(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))


def pages(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.html")}


def card(folder: Path, slug: str) -> str:
    """What the page says of a tool, without tags."""
    text = (folder / "index.html").read_text("utf-8")
    found = re.search(rf'<article id="{slug}".*?</article>', text, re.DOTALL)
    assert found is not None, slug
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", found[0]).split()))


SAID = [
    ("shredder", "destructive"),
    ("shredder", "tier: write not stated: approval, egress"),
    ("depot-box-scrap-v3", "not reversible"),
    ("depot-box-list-v3", "shelf "),
    ("depot-box-list-v3", "site -s --site no"),
    ("depot-box-list-v3", "file depot.atip.json:"),
    ("mail-archive-v2", "approval: on-mutate not stated: tier, egress"),
    ("mail-archive-v2", "message yes Id of the message string"),
    ("mail-archive-v2", 'folder no Where to string "archive"'),
    ("mail-archive-v2", 'Archive one Input {"message": "m1"} Output {"moved": true}'),
    ("mail-archive-v2", "not_found There is no such message. Search for it first."),
    ("mail-archive-v2", "mail.archive-http http mail.example yes mail.archive-cli cli none no"),
    ("mail-archive-v2", "secrets mail-token"),
    ("mail-archive-v2", "The sender is not told; see the guide ."),
    ("mail-archive-v2", "file tools/mail.archive/TOOL.md:2"),
    ("water_level", "In de Sagt, wie hoch"),
    ("water_level", "conditions The gauge reports at least once an hour."),
    ("x-host-toolglot-clinic-move-appointment-2", "tier: write approval: always egress: host-mediated"),
    ("evil", "Helps."),
    ("etc-passwd", "effects not stated"),
    ("etc-passwd", "readOnlyHint safety tier: read; destructive: no the server's hint, not verified"),
    ("etc-passwd", "A session asks once: nobody states whether it changes anything or incurs costs."),
    ("safe-eman", "safe\\u202eeman"),
    ("safe-eman", "Reads\\u200b only.\\udb40\\udc49\\udb40\\udc67"),
    ("safe-eman", "It takes no arguments."),
]


@for_each("slug, words", SAID)
def test_a_page_says_what_a_source_says(folder: Path, slug: str, words: str) -> None:
    assert words in card(folder, slug)


def test_the_page_of_a_tool_has_its_schemas_and_the_report_of_each_format(folder: Path) -> None:
    text = unescape((folder / "tools" / "mail-archive-v2" / "index.html").read_text("utf-8"))
    assert re.search(r'"properties": {\s+"message": {', text)
    section = text[text.index('<section id="openai">') :].partition("</section>")[0]
    assert re.search(r"<li>- <b>lost</b>: [^<]*version[^<]* \(no such field\)", section)
    assert "<li>> <b>said in words</b>:" in section


@for_each(
    "slug, file, only",
    [
        ("mail-archive-v2", "tools/mail.archive/TOOL.md", None),
        ("etc-passwd", "hostile.mcp.json", "../../etc/passwd"),
        ("depot-box-scrap-v3", "depot.atip.json", "depot box scrap"),
    ],
)
def test_the_report_on_a_page_is_that_of_a_conversion(
    folder: Path, sources: Path, slug: str, file: str, only: str | None
) -> None:
    page = unescape((folder / "tools" / slug / "index.html").read_text("utf-8"))
    compared = []
    for target in formats.targets():
        section = page.partition(f'<section id="{target}">')[2].partition("</section>")[0]
        if not section or "Not written" in section:
            continue
        changes = toolglot.convert(sources / file, target, only=only or ()).report.changes
        told = {(entry.category, entry.field, entry.because) for entry in changes if not entry.bookkeeping}
        shown: set[tuple[str, str, str]] = set()
        for category, fields, reason in re.findall(r"<li>. <b>(.*?)</b>: (\S.*?)(?: \((.*)\))?\n", section):
            shown.update((category, field, reason) for field in fields.split(", "))
        assert shown == told, target
        compared.append(target)
    assert len(compared) >= 8


def test_the_hash_of_a_file_is_shown(folder: Path, sources: Path) -> None:
    sha256 = hashlib.sha256((sources / "tools/mail.archive/TOOL.md").read_bytes()).hexdigest()
    text = (folder / "index.html").read_text("utf-8")
    [number] = re.findall(r'href="#s:(\d+)">tools/mail.archive/TOOL.md:', text)
    assert f'<tr id="s:{number}"><td>tools/mail.archive/TOOL.md<td>' in text
    assert text.count(sha256) == 1


def test_what_tools_are_found_by_is_counted(folder: Path) -> None:
    text = (folder / "index.html").read_text("utf-8")
    counts = dict(re.findall(r'name="approval" value="([^"]*)".*?<b>(\d+)</b>', text))
    assert counts == {"not stated": "15", "always": "1", "on-mutate": "1"}
    assert 'name="server"' not in text, "nothing is found by what is the same everywhere"


# Fields of the hub that no list of facts has, and why.
ELSEWHERE = {
    "the heading and the summary": {"id", "title", "summary"},
    "texts": {"description", "when_to_use", "guidance", "body", "success", "localizations"},
    "tables, schemas and blocks": {"inputs", "bindings", "syntax", "outputs", "context", "errors", "examples"},
    "parameters, as its own": {"global_inputs", "global_bindings"},
    "the origin": {"origin", "namespace"},
    "badges": {"assumed", "flags", "unclear"},
    "facts, as its own": {"inherits", "own"},
    "a command has none": {"children", "truncated"},
    "what only one format knows; the tool in that format has it": {"extensions"},
}  # fmt: skip


def test_every_field_of_the_hub_has_a_place() -> None:
    facts = [field for fields in tool_card.FACT_GROUPS.values() for field in fields]
    others = [field for fields in ELSEWHERE.values() for field in fields]
    assert sorted([*facts, *others]) == sorted(Tool.__struct_fields__)


# -- safe ----------------------------------------------------------------------------------------------------------

OURS = {
    *("a", "article", "b", "body", "br", "button", "code", "dd", "details", "div", "dl", "dt", "fieldset", "form"),
    *("h1", "h2", "h3", "head", "header", "html", "i", "input", "label", "legend", "li", "main", "meta", "nav", "p"),
    *("pre", "script", "section", "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "title"),
    *("tr", "ul"),
}


def test_nothing_of_a_tool_becomes_a_part_of_a_page(folder: Path) -> None:
    for name, text in pages(folder).items():
        elements = Page(text).elements
        assert {tag for tag, _ in elements} <= OURS, name
        assert [tag for tag, _ in elements].count("script") == 1
        for tag, attributes in elements:
            assert not [key for key in attributes if key.startswith("on") or key in ("style", "src", "srcset")], tag


def test_links_lead_into_the_folder_or_to_the_web(folder: Path) -> None:
    for name, text in pages(folder).items():
        ids = [attributes["id"] for _, attributes in Page(text).elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        for address in (attributes["href"] for _, attributes in Page(text).elements if "href" in attributes):
            assert address is not None
            if re.match(r"https://\w+\.example\b", address):
                continue  # which the sample names
            path, _, fragment = address.partition("#")
            target = (folder / name).parent / path if path else folder / name
            assert target.resolve().is_relative_to(folder.resolve())
            assert target.is_file(), address
            if fragment:
                assert f'id="{fragment}"' in target.read_text("utf-8")


def test_a_page_may_only_run_what_is_ours(folder: Path) -> None:
    for text in pages(folder).values():
        policy = re.search(r'Security-Policy" content="([^"]*)"', text)
        assert policy is not None
        for tag in ("style", "script"):
            found = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
            assert found is not None
            digest = b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{digest}'" in unescape(policy[1])
        assert unescape(policy[1]).startswith("default-src 'none'; ")


# -- every format --------------------------------------------------------------------------------------------------


@for_each("name, file", [("openai", "tool.openai.json"), ("aip14", "TOOL.md"), ("atip", "tool.atip.json")])
def test_a_tool_stands_beside_the_page_as_convert_writes_it(folder: Path, sources: Path, name: str, file: str) -> None:
    converted = toolglot.convert(sources / "tools/mail.archive/TOOL.md", name).text
    assert (folder / "tools/mail-archive-v2" / file).read_text("utf-8") == converted
    shown = (folder / "tools/mail-archive-v2/index.html").read_text("utf-8")
    assert f'<a href="{file}">' in shown
    assert unescape(shown).count(converted) == 1


def test_the_page_of_a_tool_says_all_that_the_list_says(folder: Path) -> None:
    listed = (folder / "index.html").read_text("utf-8")
    details = (
        listed[listed.index('<article id="mail-archive-v2"') :].partition("</summary>\n")[2].partition("<p><a href")[0]
    )
    shown = (folder / "tools/mail-archive-v2/index.html").read_text("utf-8")
    assert "<h3>Parameters</h3>" in details
    assert details.replace('<a href="#s:', '<a href="../../index.html#s:') in shown


def test_what_a_format_cannot_write_is_said(tmp_path: Path) -> None:
    text = page_sample.TOOL_MD.replace("inputs:\n  type: object", "inputs:\n  type: [string, 'null']")
    page_sample.write(tmp_path / "in" / "TOOL.md", text)
    page_sample.make_site(tmp_path / "out", tmp_path / "in")
    [page] = (tmp_path / "out" / "tools").glob("*/index.html")
    text = page.read_text("utf-8")
    assert "Not written: the arguments of a tool are an object" in text
    assert not (page.parent / "tool.openai.json").exists()
    assert (page.parent / "TOOL.md").exists()


# -- many tools ----------------------------------------------------------------------------------------------------


def test_too_many_tools_have_a_page_for_each_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_site, "MOST_ON_A_PAGE", 4)
    page_sample.write_many(tmp_path / "in", 12, servers=2)
    assert page_sample.make_site(tmp_path / "out", tmp_path / "in").code == 0
    names = sorted(path.name for path in (tmp_path / "out" / "sources").iterdir())
    assert names == ["server-0-1-of-2.html", "server-0-2-of-2.html", "server-1-1-of-2.html", "server-1-2-of-2.html"]
    test_links_lead_into_the_folder_or_to_the_web(tmp_path / "out")
    overview = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert overview.count("<article") == 4
    assert overview.count("sources/server-1-2-of-2.html#server-1-tool_") == 2


def test_the_page_of_many_tools_stays_small(tmp_path: Path) -> None:
    """A thousand tools take two megabytes, with twice as many parameters as published tools have.

    `make pages` says how quick such a page is in a browser.
    """
    [(_, text)] = page_sample.list_pages(tmp_path, 250, parameters=4)
    assert len(text.encode()) <= 500_000
    assert len(gzip.compress(text.encode())) <= 150_000


def test_tools_whose_names_look_alike_in_addresses_can_all_be_reached(tmp_path: Path) -> None:
    names = ["a" + "".join(between) for between in product((".a", " a"), repeat=4)]
    tools = [{"name": name, "description": "Adds.", "inputSchema": {"type": "object"}} for name in names]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "all.mcp.json").write_text(json.dumps({"tools": tools}), "utf-8")
    assert page_sample.make_site(tmp_path / "out", tmp_path / "in").code == 0
    assert len(list((tmp_path / "out" / "tools").iterdir())) == len(names)
    test_links_lead_into_the_folder_or_to_the_web(tmp_path / "out")


# -- badges --------------------------------------------------------------------------------------------------------

BADGES = [
    ({"safety_tier": "exec"}, ("tier: exec", badges.DANGER)),
    ({"safety_tier": "read"}, ("tier: read", badges.CALM)),
    ({"safety_tier": "read"}, ("changes nothing", badges.CALM)),
    ({"egress": "none"}, ("egress: none", badges.CALM)),
    ({"egress": "host-owned"}, ("egress: host-owned", badges.CAUTION)),
    ({"billable": True}, ("billable", badges.DANGER)),
    ({"deletes_files": True}, ("deletes files", badges.DANGER)),
    ({"prompts": True}, ("asks for input", badges.CAUTION)),
    ({"stdin": "password"}, ("needs credentials", badges.CAUTION)),
    ({"deprecated": True}, ("deprecated", badges.CAUTION)),
    ({"unclear": ("destructive",)}, ("unclear: destructive", badges.DANGER)),
    ({"description": "Go. Safety: some calls need approval by the user."}, ("approval: sometimes", badges.PLAIN)),
    ({}, ("effects not stated", badges.UNKNOWN)),
    ({"destructive": False}, ("not stated: changes, tier, approval, egress", badges.UNKNOWN)),
]


@for_each("facts, badge", BADGES)
def test_a_fact_has_a_badge(facts: dict[str, Any], badge: tuple[str, str]) -> None:
    shown = badges.badges_of(Tool(id="a", **facts))
    assert badge in shown
    assert len({*shown}) == len(shown)


# -- writing -------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two tools of two files."""
    for name in ("one", "two"):
        data = {"tools": [{"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}}]}
        page_sample.write(tmp_path / f"{name}.mcp.json", json.dumps(data))
    return tmp_path


def make(folder: Path, *more: str) -> Ran:
    return run(folder, ["catalog", "one.mcp.json", "two.mcp.json", "--to", "html", "-o", "site", "-j1", "-q", *more])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_is_written_where_it_changes(small: Path) -> None:
    assert make(small, "--check").code == 1
    assert not (small / "site").exists()
    assert make(small).code == 0
    before = {path: path.stat().st_mtime_ns for path in (small / "site").rglob("*")}
    assert make(small, "--check").code == 0
    assert make(small).code == 0
    assert {path: path.stat().st_mtime_ns for path in (small / "site").rglob("*")} == before


def test_a_tool_that_is_gone_leaves_the_site(small: Path) -> None:
    make(small)
    page_sample.write(small / "site" / "tools" / "two" / "mine.txt", "notes")
    (small / "two.mcp.json").write_text((small / "one.mcp.json").read_text().replace("one", "three"))
    assert make(small, "--check").code == 1
    assert make(small).code == 0
    assert sorted(os.listdir(small / "site" / "tools")) == ["one", "three", "two"]
    assert os.listdir(small / "site" / "tools" / "two") == ["mine.txt"]
    assert "two" not in json.dumps(sorted(json.loads((small / "site" / generated_folders.LEDGER).read_text())["files"]))


@for_each("name", ["index.html", "tools/two/index.html", "tools/two/TOOL.md", generated_folders.LEDGER])
def test_a_file_that_was_edited_is_not_replaced(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("edited")
    page_sample.write_many(folder, 2, servers=2)
    options = ["catalog", "server-0.mcp.json", "server-1.mcp.json", "--to", "html", "-o", "site", "-j1", "-q"]
    page_sample.write(folder / "site" / name, "mine")
    before = contents(folder / "site")
    if "two" in name:
        (folder / "server-1.mcp.json").write_text(
            (folder / "server-1.mcp.json").read_text().replace("tool_0", "two").replace("server-1", "")
        )
    done = run(folder, options)
    assert (done.code, contents(folder / "site")) == (2, before)
    assert "there is something else, or it was edited; nothing was written; move it away" in done.stderr


def test_a_run_that_was_killed_is_completed(small: Path) -> None:
    make(small)
    (small / "two.mcp.json").write_text((small / "two.mcp.json").read_text().replace("Does", "Makes"))
    written: list[str] = []

    def stop(files: Commit, change: Any, folder: Any) -> None:
        if len(written) == 3:
            raise WriteError("cannot be written: no space left", "unwritable-file")
        written.append(change.name)
        make_change(files, change, folder)

    make_change = Commit._make
    with patch.object(Commit, "_make", stop):
        assert make(small).code == 2
    assert make(small).code == 0
    assert make(small, "--check").code == 0
    assert "Makes two." in (small / "site" / "index.html").read_text()


@pytest.mark.parametrize("output", ["site", "."])
def test_the_pages_of_an_earlier_run_are_no_sources(small: Path, output: str) -> None:
    command = ["catalog", ".", "--to", "html", "-o", output, "-j1"]
    first = run(small, command)
    assert (first.code, run(small, command)) == (0, first)


def test_a_link_out_of_the_folder_is_refused(small: Path) -> None:
    (small / "else").mkdir()
    (small / "site").mkdir()
    (small / "site" / "tools").symlink_to(small / "else")
    done = make(small)
    assert (done.code, os.listdir(small / "else")) == (2, [])
    assert "[outside-folder]" in done.stderr


def test_a_ledger_of_somebody_else_takes_nothing_away(small: Path) -> None:
    page_sample.write(small / "precious.txt", "precious")
    digest = hashlib.sha256(b"precious").hexdigest()[:32]
    (small / "site").mkdir()
    (small / "site" / "link.txt").symlink_to(small / "precious.txt")
    ledger = {
        "toolglot": 1,
        "files": dict.fromkeys(["../precious.txt", "link.txt", str(small / "precious.txt"), "a\0b"], digest),
    }
    page_sample.write(small / "site" / generated_folders.LEDGER, json.dumps(ledger))
    assert make(small).code == 0
    assert (small / "precious.txt").read_text() == "precious"
    assert (small / "site" / "link.txt").is_symlink()
    page_sample.write(small / "site" / generated_folders.LEDGER, json.dumps({"files": {"\ud800": digest}}))
    assert "[file-exists]" in make(small).stderr


REFUSED = [
    (["--to", "html"], "html is a folder of files; give -o FOLDER/"),
    (["--to", "html", "-o", "one.mcp.json"], "html is a folder of files; give -o FOLDER/"),
    (["--to", "html", "-o", "site", "--as-program", "all"], "--to html and --as-program do not go together"),
    (["--to", "markdown", "--bare"], "--to markdown and --bare do not go together"),
    (["--to", "markdown", "--since", "x"], "--to markdown and --since do not go together"),
    (["--to", "markdown", "--check"], "--check needs --output"),
    (["--to", "markdown", "-o", "one.mcp.json"], "there is something else already"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[" ".join(options) for options, _ in REFUSED])
def test_what_does_not_fit_is_refused(small: Path, options: list[str], message: str) -> None:
    before = contents(small)
    done = run(small, ["catalog", "one.mcp.json", *options])
    assert (done.code, done.stdout, contents(small)) == (2, "", before)
    assert message in done.stderr


def test_a_package_that_is_missing_is_named(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nh3", None)
    done = make(small)
    assert done.code == 2
    hint = "in a clone of toolglot, run: pip install '.[pages]' [missing-extra]"
    assert f"html needs the package nh3; {hint}" in done.stderr
    assert run(small, ["catalog", "one.mcp.json", "--to", "markdown", "-q"]).code == 0


def test_what_a_catalogue_can_be_written_as_is_completed() -> None:
    def complete(word: str) -> list[str]:
        return [item.value for item in CatalogTarget().shell_complete(context, context.command.params[0], word)]

    context = click.Context(cli.commands["catalog"], **cli.context_settings)
    assert (complete("h"), complete("mark"), complete("aip")) == (["hub", "html"], ["markdown"], ["aip14"])


# -- Markdown ------------------------------------------------------------------------------------------------------


def test_the_document_is_what_another_reader_of_markdown_takes_it_for(sources: Path) -> None:
    text = run(sources, ["catalog", ".", "--to", "markdown", "-q", "-j1"]).stdout
    parser = markdown_it.MarkdownIt("commonmark").enable("table")
    tokens = [inner for token in parser.parse(text) for inner in (token, *(token.children or ()))]
    html = {token.content.strip() for token in tokens if token.type in ("html_block", "html_inline")}
    ours = re.compile(r'<!-- [^>]*-->|<a id="[\w-]+">|</a>|</?details>|</details>|</?summary>')
    for block in html:
        for part in re.sub(r"(?<=>)Schema of its \w+(?=<)", "\n", block).split("\n"):
            assert re.fullmatch(rf"(?:{ours.pattern})*", part), part
    assert [token.type for token in tokens].count("image") == 0
    links = {token.attrs["href"] for token in tokens if token.type == "link_open"}
    assert links == {f"#{slug}" for slug in re.findall(r'<a id="([\w-]+)">', text)}
    assert [token.content for token in tokens if token.type == "heading_open"] == [""] * 18, "one a tool, and the title"


def test_a_document_is_checked(small: Path) -> None:
    command = ["catalog", "one.mcp.json", "--to", "markdown", "-o", "docs/tools.md"]
    stale = run(small, [*command, "--check"])
    said = "1 tool of 1 file\ndocs/tools.md is out of date; run the command again without --check\n"
    assert (stale.code, stale.stderr) == (1, said)
    assert not (small / "docs").exists()
    assert run(small, command).code == 0
    assert run(small, [*command, "--check"]).code == 0
    shutil.copy(small / "two.mcp.json", small / "one.mcp.json")
    assert run(small, [*command, "--check"]).code == 1
    assert run(small, command).code == 0
    assert "Does two." in (small / "docs" / "tools.md").read_text()


@for_each(
    "text", ["\\<script>", "a\\](javascript:x)", "```", "<!--", "[a]: javascript:x", "~~~~\n", "\\\n# b", "1\n==="]
)
def test_no_text_leaves_its_quotation(text: str) -> None:
    source = "\n".join(["before", *markdown.quote(text), "", "# after"])
    tokens = markdown_it.MarkdownIt("commonmark").parse(source)
    types = [inner.type for token in tokens for inner in (token, *(token.children or ()))]
    assert not {"html_block", "html_inline", "link_open", "image"} & set(types)
    assert tokens[-3].type == "heading_open"
    assert tokens[-3].level == 0
