"""`serve`: what is gathered, who may see it, and where it is listened for."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from toolglot.catalogs import CatalogOptions
from toolglot.cli.commands.serve_options import ServeOptions
from toolglot.cli.commands.served_files import ServedFiles
from toolglot.cli.exit_codes import Exit
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.terminal import count_noun, describe_internal_error, print_message
from toolglot.conversion.selection import choice_of
from toolglot.errors import Error, UsageError
from toolglot.serving import web_server
from toolglot.serving.catalog.descriptors import FORMAT
from toolglot.serving.catalog.routes import make_application
from toolglot.serving.catalog.views import CatalogVersion
from toolglot.serving.gate import Gate
from toolglot.serving.principals import Principal, is_token, new_token, owner, read_tokens
from toolglot.serving.reloading import Reloading


def serve_catalog(sources: SourceRequest, options: ServeOptions) -> int:
    """Serve until somebody ends the process; the exit code.

    Raises:
        Error: it cannot be served as asked.
    """
    catalog, listener = open_catalog(sources, options)
    app = make_application(catalog, Gate(options.rate))
    web_server.make_server(app).run(sockets=[listener])
    return Exit.DONE


def open_catalog(
    sources: SourceRequest, options: ServeOptions, path: str = ""
) -> tuple[Reloading[CatalogVersion], socket.socket]:
    """The catalogue, and the socket where it is listened for; people are told where that is.

    Raises:
        Error: it cannot be served as asked.
    """
    own, token = own_principals(options)
    catalog = reloading_catalog(sources, options, own)
    listener = web_server.listen(options.host, options.port)
    if token is not None:
        print_message(f"token of this run: {token}")
    tools = count_noun(len(catalog.current.descriptors), "tool")
    print_message(f"{tools} at {web_server.url_of(listener)}{path} (Ctrl-C ends it)")
    return catalog, listener


def reloading_catalog(
    sources: SourceRequest, options: ServeOptions, own: Sequence[Principal] = ()
) -> Reloading[CatalogVersion]:
    """The catalogue of the sources, made anew when they or the tokens change.

    Args:
        own: principals beside those of the file of tokens.
    """
    catalog_options = CatalogOptions(options.namespace or "auto", choice=choice_of(options.choice))
    files = ServedFiles(sources, FORMAT, catalog_options, options.assertions_file)

    def load() -> CatalogVersion:
        principals = read_tokens(options.tokens) if options.tokens else []
        return CatalogVersion(files.entries(), [*own, *principals], options.is_enveloped, catalog_options)

    return Reloading(load, lambda: files.stamp(options.tokens), _report)


def own_principals(options: ServeOptions) -> tuple[list[Principal], str | None]:
    """Who may ask beside those of the file, and the token that was made for this run, if there is no other.

    Raises:
        UsageError: there is none, and others than this machine would be listened to (code `"no-token"`); or the
            variable holds none (`"bad-token"`).
    """
    if options.token_variable is not None:
        token = os.environ.get(options.token_variable, "")
        if not is_token(token):
            message = f"the variable {options.token_variable} holds no token: 16 to 512 letters, digits and -._~+/"
            raise UsageError(message, "bad-token")
        return [owner(token)], None
    if options.tokens is not None:
        return [], None
    if not web_server.is_loopback(options.host):
        message = f"whoever reaches {options.host} could ask; say who may, with --tokens or --token-env"
        raise UsageError(message, "no-token")
    token = new_token()
    return [owner(token)], token


def _report(error: Exception) -> None:
    reason = str(error) if isinstance(error, Error) else describe_internal_error(error)
    print_message(f"error: {reason}; what is served stays as it was")
