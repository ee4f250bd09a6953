"""Languages of tools: which one a file is written in, and which of a tool's languages a catalogue shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import without_empty

_LANGUAGE = re.compile(r"[._-](([a-z]{2})(?:-[A-Z]{2})?)(?:\.[a-z0-9]{3,})*\.[a-z0-9]+\Z")

# ISO 639-1; two letters alone could as well be `up`, `go` or `v2`, and two tools would be taken for one.
_LANGUAGES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)


def language_of(file: str) -> str | None:
    """The language at the end of a file's name, before its extensions; `None` where there is none.

    >>> language_of("tools/drill_es.atdf.json"), language_of("drill.pt-BR.yaml"), language_of("drill.json")
    ('es', 'pt-BR', None)
    """
    match = _LANGUAGE.search(file)
    if match is None or match[2] not in _LANGUAGES.split():
        return None
    return match[1]


class Translation(NamedTuple):
    """A tool in the requested languages, and a note where its text is not in the first of them."""

    tool: Tool
    note: str = ""


def translate(tool: Tool, languages: Sequence[str], own: str | None) -> Translation:
    """The tool in the first requested language that it has, and of its other languages only the requested ones.

    Args:
        languages: language tags; the first is shown, and each later one stands in for a missing one before it. Without
            languages the tool stays as it is. So does a tool without translations: other files may translate it.
        own: the language of the tool's own texts; if unknown, they count as the first of `languages` that the tool has
            no translation for.

    >>> tool = Tool(id="drill", description="Drills.", localizations={"es": {"description": "Perfora."}})
    >>> found = translate(tool, ["es", "en"], None).tool
    >>> found.description, found.localizations
    ('Perfora.', {'en': {'description': 'Drills.'}})
    """
    if not (languages and tool.localizations):
        return Translation(tool)
    others = {
        tag: localised
        for tag, localised in tool.localizations.items()
        if all(isinstance(localised.get(name, ""), str) for name in LOCALISED)  # a source may have anything there
    }
    own = own or next((tag for tag in languages if _tag_for_request(tag, others) is None), "")
    texts = {own: texts_of(tool), **others}
    tags = filter(None, (_tag_for_request(request, texts) for request in languages))
    available = {tag: texts[tag] for tag in tags}
    language = next(iter(available), own)
    translation = _with_others(tool, available, language)
    if language != own:
        own_texts = {name: texts[language].get(name) for name in LOCALISED}
        translation = replace(translation, **own_texts)
        alone = replace(translation, localizations=None)  # what a reader of this language sees
        if safety.weaker_facets(safety.caution(tool), safety.caution(alone)):
            note = f"the text in {language} leaves out a warning, so that the other one is shown"
            return Translation(_with_others(tool, available, own), note)
    if _tag_for_request(languages[0], [language]) is not None:
        return Translation(translation)
    return Translation(translation, f"there is no text in {languages[0]}; {language or 'its own'} stands in")


def _with_others(tool: Tool, texts: Mapping[str, Any], own: str) -> Tool:
    """The tool with these texts as localisations, without its own."""
    others = {tag: text for tag, text in texts.items() if tag != own and text}
    return replace(tool, localizations=others or None)


LOCALISED = ("description", "when_to_use")
"""The fields that a localisation has a place for."""


def texts_of(tool: Tool) -> dict[str, str]:
    """The texts of a tool in the form of a localisation."""
    texts = {"description": tool.description or tool.summary, "when_to_use": tool.when_to_use}
    return without_empty(texts)


def _tag_for_request(request: str, available: Collection[str]) -> str | None:
    """The requested tag, or an available one of the same language (RFC 4647, lookup)."""
    if request in available:
        return request
    language = _primary_language(request)
    return next((tag for tag in available if _primary_language(tag) == language), None)


def _primary_language(tag: str) -> str:
    """The language of a tag without its region and script.

    >>> _primary_language("pt-BR")
    'pt'
    """
    return tag.partition("-")[0].lower()
