"""Secrets in addresses: in parameters, before the name of the host, and in paths that give access by themselves.

Rows as in `secret_forms`, which looks for them.
"""

from __future__ import annotations

from collections.abc import Callable

from toolglot.runtime.bridge.redaction.secret_or_prose import is_mixed, is_no_constant, is_random

ADDRESSES = (
    ("webhook.office", r"(?<=\.webhook\.office\.com/webhookb2/) [A-Za-z0-9@/_-]{30,}+"),  # Microsoft Teams
    ("hooks.zapier", r"//hooks\.zapier\.com/hooks/catch/ ([\w/]++)"),
    ("hooks.slack", r"//hooks\.slack\.com/ (?: service | workflow | trigger ) s/ (T[A-Z0-9]++ / [\w/]++)"),  # Slack
    ("@", r"""(?<=:) ([^\s:@/"']++) @ (?: tcp | unix )? \("""),  # of databases, as Go and Oracle write them
    (
        "/",
        r"""(?: thin: | \b (?: sqlplus | (?:imp|exp)(?:dp)? | rman | sqlldr ) \ (?: -\w\ )? )
            [\w$]{1,40} / ([^\s@\"']++) @""",
    ),
    ("sig", r"(?i) [?&;] (?: sig | signature | x-(?:amz|goog)-signature ) = ([a-z0-9%+/_=~-]{16,}+)"),
    ("://", r"(?<= ://) [^\s\"'<>?\#]{3,200}? /v[0-9]/ ([0-9a-f]{32}) (?! [\w./] )"),
    ("account.key.", r"account\.key\. [\w.-]{5,80}+ [\"']? [ =:,]{1,3} [\"']? ([A-Za-z0-9+/]{40,}+=*+)"),  # of Azure
    ("/private-", r"/private- ([0-9a-f]{32}) \b"),  # a calendar
    ("rtmp", r"rtmps? :// \S{3,200}? / ((?= [\w-]{0,60} [0-9] ) [\w-]{16,}+) (?! [\w./] )"),
    ("%3d", r"(?i) (?: secret | passw\w{0,4} | pwd | token | api_?key ) %3D ([\w.~+/-]{4,}+)"),  # in a URL in a URL
)
# The same, and what the secret must be beside.
JUDGED_ADDRESSES: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("://", r"(?<= ://) ([A-Za-z0-9_-]{20,}+) @ (?! \S{0,40} ingest )", is_mixed),
    ("://", r"""(?<=://) [^\s/:@"<>\[]*+ : (?! pass (?:wo?r?d)? @ ) ([^\s/"<>]+) @""", is_no_constant),
    (
        "://",
        r"""(?<=://) [^\s\"'<>?\#]{3,200}? /
            ( (?! [0-9a-f]+ \b ) [A-Za-z0-9_-]{40,}+ | (?<= /v[0-9]/ ) [A-Za-z0-9_-]{32,39}+ ) (?! [\w./] )""",
        is_random,
    ),
    (
        "/",
        r"""(?i) / [\w-]{0,20}
            (?: reset | magic | invit | verif | confirm | activat | sign-?in (?! g ) | log-?in | token | webhook | hooks
              | impersonat | join )
            [\w-]{0,20} (?: / [\w-]{1,20} ){0,2}? [/=] ([a-z0-9_-]{20,}+) (?! [\w.] )""",
        is_random,
    ),
    (
        "=",
        r"""(?i) [?&;]
            (?! [\w.-]{0,40}?
                (?: cursor | page | next | after | before | state | nonce | challenge | request | clid | [_-]id
                  | \bid | hash | digest | etag | version | sync | continu | marker | query | list | redirect
                  | device | upload ) [\w.-]*+ =
              | [qvh]= )
            [\w.-]{1,40} = ([a-z0-9%._~-]{20,}+)""",
        is_random,
    ),
    (
        "@",
        r"""(?<! [\w.+@:-] ) (?<! [^/]/ ) (?<! :// )
            (?! (?: mailto | sips? | acct | xmpp | im | tel | from | to | b?cc | cid | urn | s?ftps? | ssh | scp
                  | rsync | smb | git | svn ) : )
            [\w.+-]{1,40}+ : ([^\s:@/"']{4,80}+) @ [\w-]{1,60}+ [.:] \w""",
        is_mixed,
    ),
)
