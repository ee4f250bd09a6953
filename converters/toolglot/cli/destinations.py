"""Where results go: stdout, one file, or a file for each tool below a folder."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_message, print_result
from toolglot.converter import formats
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.files.existing_targets import can_be_folder, is_filled_file, is_folder, refuse_existing
from toolglot.converter.files.names import paths_below
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.compression import PACKED
from toolglot.converter.text.document_reader import names_lines
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, UsageError
from toolglot.option_checks import refuse

_YAML = (".yaml", ".yml")


class Destination(msgspec.Struct, frozen=True):
    """A text and its file; `None` is stdout."""

    path: str | None
    text: str


def arrange_results(conversion: Conversion, to: str, output: str | None) -> list[Destination]:
    """What goes where; nothing is written yet.

    Raises:
        UsageError: several results and one place, a path that a link leads out of the folder, or a name that promises
            what is not written.
    """
    target = formats.target_of(to)
    if output is not None and not is_folder(output):
        is_compressed = output.lower().endswith(PACKED)
        refuse((is_compressed, "only what JSON Lines become is compressed; leave out .gz or .zst"), source=output)
        if names_lines(output):
            from toolglot.verbs.streams.record_stream import texts_of_records  # 0.4 ms that other results do without

            if conversion.output.target.syntax != "json":
                message = f"a line cannot hold {target.name}, which is a document with front matter; give -o FOLDER/"
                raise UsageError(message, "not-a-line")
            refuse((conversion.output.is_bare, "an array is no JSON Lines; leave out --bare"))
            return [Destination(output, "".join(f"{text}\n" for text in texts_of_records(conversion)))]
    texts = [text for _, text in conversion.files]
    are_many = len(texts) != 1
    if output is not None and (is_folder(output) or (are_many and can_be_folder(output))):
        paths = paths_below(output, [name for name, _ in conversion.files])
        return [Destination(path, text) for path, text in zip(paths, texts, strict=True)]
    if are_many:
        number = count_noun(len(texts), "tool")
        message = f"{target.name} has one file for each tool, and there are {number}; give -o FOLDER"
        as_program = f"`toolglot catalog ... --to {target.name} --as-program NAME` makes one program of all"
        raise UsageError(message, "several-files", hint=as_program if target.tree and target.writes else None)
    return [Destination(output, in_syntax_of(output, texts[0], target))]


def in_syntax_of(output: str | None, text: str, target: formats.Format) -> str:
    """A result as the name of its file promises it: in YAML, where the format's documents may be.

    >>> in_syntax_of("a.atdf.yml", '{"tool_id": "a"}', formats.get("atdf"))
    'tool_id: a\\n'
    """
    has_yaml = any(pattern.endswith(_YAML) for pattern in target.marks.patterns)
    if not has_yaml or output is None or not output.lower().endswith(_YAML):
        return text
    return serialization.dump_yaml(document_reader.load(text).data)


def leaves_earlier(output: str | None, code: int) -> bool:
    """Whether an earlier file stays as it was, as people are told: a source failed, and a part is not the whole.

    Args:
        code: the exit code so far.
    """
    if code != Exit.FAILED or output is None or not is_filled_file(output):
        return False
    print_message(f"{output}: left as it was, because tools would be missing from it")
    return True


def write_results(results: Sequence[Destination], force: bool, is_verbose: bool, later_path: str | None = None) -> int:
    """Write everything; a file that cannot be written does not stop the rest.

    Args:
        later_path: of a file that is written after these.

    Raises:
        UsageError: one of the files exists and `force` is not given; nothing was written.
    """
    refuse_existing([*(result.path for result in results), later_path], force)
    code: int = Exit.DONE
    for result in results:
        if result.path is None:
            print_result(result.text)
            continue
        try:
            from toolglot.converter.files.writing import write_file  # 1 ms that a result on stdout does without

            write_file(result.path, result.text.encode("utf-8", "backslashreplace"), over=force)
        except Error as error:
            print_message(f"error: {error}")
            code = Exit.FAILED
        else:
            if is_verbose:
                print_message(f"wrote {result.path}")
    return code
