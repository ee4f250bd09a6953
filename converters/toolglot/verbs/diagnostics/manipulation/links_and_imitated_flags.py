"""Rules of the family `text` about imitated flags, tools of other servers, links to documents, and images."""

from __future__ import annotations

from toolglot.converter import safety
from toolglot.converter.formats.kit.rule import Rule, ScannedText, TextHits, TextTest
from toolglot.verbs.diagnostics.rules.phrases import phrases


def _find_remote(text: ScannedText) -> TextHits:
    if text.key == "$ref" and not text.is_key and text.value.partition("#")[0]:
        yield {}


def _find_imitations(text: ScannedText) -> TextHits:
    if text.is_key or text.key == "body":
        return
    for name in safety.imitations_in(text.value, text.may_say_read_only):
        advice = "a danger is stated in its field, or as the RFC writes it"
        if not safety.FLAGS[name].levels:
            advice = "only fields can say that a tool is safe"
        yield {"flag": safety.FLAGS[name].words, "advice": advice}


RULES = (
    Rule(
        code="remote-ref",
        message="`$ref` names an address; what the document does not hold under it is never fetched",
        why="What stands elsewhere can be changed by others, and readers that fetch it tell that server so.",
        mend="Copy the schema into `$defs`, and refer to it as `#/$defs/NAME`.",
        definition="A `$ref` with something before its `#`.",
        misses="References below other keys.",
        bad={"id": "add", "inputs": {"properties": {"a": {"$ref": "https://schemas.example/number"}}}},
        good={"id": "add", "inputs": {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "number"}}}},
        of_text=TextTest(lambda texts: "$ref" in texts.text, _find_remote),
    ),
    Rule(
        code="remote-image",
        message="the text loads an image from elsewhere: {words}",
        why="Whoever shows the description tells that server so, and a model can be made to add data to the address.",
        mend="Link to the page instead, or take it out.",
        citation="Cisco's scanner",
        definition="An image of Markdown whose address begins with `http:` or `https:`, or an `<img>` "
        "with such a `src`. Not in the Markdown after front matter.",
        misses="Images that a style or a script loads.",
        bad={"id": "add", "description": "Adds. ![sum](https://pictures.example/sum.png?q=1)"},
        good={"id": "add", "description": "Adds. A picture is at https://pictures.example/sum."},
        of_text=phrases(
            ("![", "<img"),
            r"!\[[^\]]{0,80}\]\(\s*https?:[^)]{0,80}",
            r"<img\b[^>]{0,80}\bsrc\s*=\s*[\"']?https?:",
            in_markdown=False,
        ),
    ),
    Rule(
        code="flag-imitation",
        message="the text imitates the flag {flag}; {advice}",
        why="Flags such as [READ-ONLY] look like facts that somebody checked.",
        mend="State the fact in the field that is for it.",
        citation="ATIP RFC, section 8.1",
        definition="The words of a flag (DESTRUCTIVE, READ-ONLY, BILLABLE and the others of the RFC) in brackets or "
        "behind its sign (⚠️ and the others), in another spelling than a conversion writes, or of one that says "
        "that a tool is safe. Not in the Markdown after front matter.",
        misses="Flags in other words, such as *safe*, and whatever stands with neither brackets nor a sign.",
        bad={"id": "add", "description": "Adds two numbers. [READ-ONLY]"},
        good={"id": "add", "description": "Adds two numbers.", "writes_files": False},
        of_text=TextTest(lambda texts: safety.may_warn(texts.text), _find_imitations),
    ),
    Rule(
        code="foreign-tool-mention",
        severity="info",
        message="the text names {name}, a tool of another source",
        why="A description that says what to do with the tools of others is how one server takes over another's.",
        mend="Look at what it says of the other tool. Describe in it this tool only.",
        citation="Snyk agent-scan E002",
    ),
)
