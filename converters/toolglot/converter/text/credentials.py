"""What a credential looks like in a text: one list for whatever looks for secrets.

Issuers begin their tokens with words of their own so that they can be found where they do not belong. A row is the
words without one of which a text has no such token, and the form, as regular expressions have it; every form is linear
and never given back. Words that only stand beside a secret, such as `token`, mean nothing.

Some secrets are told by the header of their file, by the scheme of a header of HTTP, or by the name that they are given
to, where they look like made by a program. A value in data is one, too, where it stands under the name of a secret.
"""

from __future__ import annotations

import re
from typing import Any

from toolglot.converter.text.pointers import pointer_of_path, walk_values
from toolglot.regexes import compile_later

_WORD = r"[A-Za-z0-9_-]"

FORMS = {
    "ops_eyJ A3-": r"ops_eyJ[A-Za-z0-9_=-]{40,}+ | A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){4}",  # 1Password
    "p8e-": r"p8e-[A-Za-z0-9]{32}\b",  # Adobe
    "AVNS_": rf"AVNS_{_WORD}{{15,}}+",  # Aiven
    "apify_api_": r"apify_api_[A-Za-z0-9]{30,}+",  # Apify
    "AKCp cmVmdGtu": r"AKCp[A-Za-z0-9]{60,}+ | cmVmdGtu[A-Za-z0-9]{56}",  # Artifactory
    "AZDO": r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}",  # Azure DevOps
    "bkua_ bkaj_ bkar_ bkct_": r"bk(?:ua|aj|ar|ct)_[A-Za-z0-9]{40,}+",  # Buildkite
    "csk-": r"csk-[a-z0-9]{40,}+",  # Cerebras
    "CCIPAT_": r"CCIPAT_[A-Za-z0-9_]{40,}+",  # CircleCI
    "CLOJARS_": r"CLOJARS_[a-z0-9]{60}",  # Clojars
    "v1.0- cfk_ cfut_ cfat_": r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}+ | cf(?:k|ut|at)_[A-Za-z0-9]{40,}+",  # Cloudflare
    "cog_": r"cog_[a-z0-9]{40,}+",  # Devin
    "ddp_ ddo_": r"dd[op]_[A-Za-z0-9]{36}",  # Deno
    "sl.": rf"sl\.(?:u\.)?{_WORD}{{100,}}+",  # Dropbox
    "duffel_": r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}+",  # Duffel
    "e2b_": r"e2b_[a-f0-9]{40}",  # E2B
    "EZAK EZTK": r"EZ[AT]K[A-Za-z0-9]{54}",  # EasyPost
    "sk_": r"sk_[a-f0-9]{48}",  # ElevenLabs
    "EAA": r"EAA[A-Za-z0-9]{80,}+ | EAAA[A-Za-z0-9_+=-]{60}",  # Facebook, Square
    ":APA91b": rf"AAAA{_WORD}{{7}}:APA91b{_WORD}{{60,}}+",  # Firebase
    "fc-": r"fc-[a-f0-9]{32}\b",  # Firecrawl
    "fw_": r"fw_[A-Za-z0-9]{20,}+",  # Fireworks
    "fio-u-": rf"fio-u-{_WORD}{{60,}}+",  # Frame.io
    "FLWSECK": r"FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,}+",  # Flutterwave
    "pat. sat.": rf"[ps]at\.{_WORD}{{22}}\.[a-f0-9]{{24}}\.[A-Za-z0-9]{{20}}",  # Harness
    "hc": r"hc[a-z]{2,4}_[A-Za-z0-9]{50,}+",  # Honeycomb
    "pat-": r"pat-(?:na|eu|ap)[0-9]-[a-f0-9]{8}-[a-f0-9-]{27}",  # HubSpot
    "ico-": r"ico-[A-Za-z0-9]{32}\b",  # Infracost
    "signkey-": r"signkey-[a-z]+-[a-f0-9]{32,}+",  # Inngest
    "perm": r"perm[:-][A-Za-z0-9=]+\.[A-Za-z0-9=-]+\.[A-Za-z0-9]{30,}+",  # JetBrains
    "jina_": rf"jina_{_WORD}{{50,}}+",  # Jina
    "llx-": r"llx-[A-Za-z0-9]{40,}+",  # Llama Cloud
    "sk.eyJ": r"sk\.eyJ[A-Za-z0-9_-]{40,}+\.[A-Za-z0-9_-]{20,}+",  # Mapbox
    "_mmk": r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",  # MaxMind
    "mdb_sa_sk_": rf"mdb_sa_sk_{_WORD}{{30,}}+",  # MongoDB
    "napi_ npg_": r"napi_[a-z0-9]{40,}+ | npg_[A-Za-z0-9]{12,}+",  # Neon
    "nsec1": r"nsec1[a-z0-9]{58}",  # nostr
    "oy2": r"oy2[a-z0-9]{43}",  # NuGet
    "nvapi-": rf"nvapi-{_WORD}{{40,}}+",  # NVIDIA
    "API-": r"API-[A-Z0-9]{26,30}+\b",  # Octopus
    "os_v2_": r"os_v2_(?:app|org)_[a-z0-9]{60,}+",  # OneSignal
    "sha256~": rf"sha256~{_WORD}{{43}}",  # OpenShift
    "pcsk_": rf"pcsk_{_WORD}{{40,}}+",  # Pinecone
    "access-": r"access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}",  # Plaid
    "phx_ phs_": r"ph[xs]_[A-Za-z0-9_]{40,}+",  # PostHog
    "msh": r"[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}",  # RapidAPI
    "rdme_": r"rdme_[a-z0-9]{60,}+",  # ReadMe
    "rnd_": r"rnd_[A-Za-z0-9]{28,}+",  # Render
    "re_": r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",  # Resend
    "rpa_": r"rpa_[A-Z0-9]{40,}+",  # RunPod
    "00D": r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}+",  # Salesforce
    "shippo_": r"shippo_(?:live|test)_[a-f0-9]{40}",  # Shippo
    "sqa_ sqp_ squ_": r"sq[apu]_[a-f0-9]{40}",  # SonarQube
    "sgp_": r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}",  # Sourcegraph
    "testsk_": rf"testsk_{_WORD}{{30,}}+",  # Svix
    "tgp_v1_": rf"tgp_v1_{_WORD}{{40,}}+",  # Together
    "ATTA": r"ATTA[a-f0-9]{64}",  # Trello
    "oauth:": r"oauth:[a-z0-9]{30}\b",  # Twitch
    "tfp_": r"tfp_[A-Za-z0-9_.=-]{40,}+",  # Typeform
    "vcp_ vci_ vca_ vcr_ vck_": r"vc[pirak]_[A-Za-z0-9]{24,}+",  # Vercel
    "vercel_blob_rw_": r"vercel_blob_rw_[A-Za-z0-9_]{30,}+",  # Vercel Blob
    "wandb_v1_": r"wandb_v1_[A-Za-z0-9_]{40,}+",  # Weights & Biases
    "AQVN YC": rf"AQVN{_WORD}{{35,38}}+ | YC{_WORD}{{38}}\b",  # Yandex Cloud
    "1000.": r"1000\.[a-f0-9]{32}\.[a-f0-9]{32}",  # Zoho
    "AGE-SECRET-KEY-1": r"AGE-SECRET-KEY-1[A-Z0-9]{58}",  # age
    "xprv yprv zprv tprv": r"[xyzt]prv[A-Za-z0-9]{100,}+",  # BIP 32
    "SWMTKN-1- SWMKEY-1-": rf"SWM(?:TKN|KEY)-1-{_WORD}{{40,}}+",  # Docker Swarm
    "pat": r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",  # Airtable
    "LTAI": r"LTAI[A-Za-z0-9]{16,24}\b",  # Alibaba Cloud
    "AKIA ASIA ABIA ACCA ABSK": r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16} | ABSK[A-Za-z0-9+/-]{60,}+=*+",  # Amazon
    "ATATT ATCTT ATBB": r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=+/-]{24,}+",  # Atlassian
    "xkeysib-": r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",  # Brevo
    "CFPAT-": rf"CFPAT-{_WORD}{{40,}}+",  # Contentful
    "cio": r"cio[A-Za-z0-9]{32}\b",  # crates.io
    "dapi": r"dapi[a-f0-9]{32}(?:-[0-9]++)?",  # Databricks
    "_v1_": r"do[oprt]_v1_[a-f0-9]{64}",  # DigitalOcean
    "dckr_": rf"dckr_[op]at_{_WORD}{{20,}}+",  # Docker
    "dp.": r"dp\.(?:audit|ct|pt|scim|sa|st)\.[A-Za-z0-9._-]{30,}+",  # Doppler
    "dt0": r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",  # Dynatrace
    "figd figo figu": rf"fig[dou]r?_{_WORD}{{30,}}+",  # Figma
    "fm1 fm2 fo1_": r"fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}+ | fo1_[A-Za-z0-9_-]{40,}+",  # Fly.io
    # GitHub; what it issues to an app has a JSON Web Token at its end
    "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_": (
        r"gh[pousr]_[A-Za-z0-9]++(?:_eyJ[A-Za-z0-9_.-]++)? | github_pat_[A-Za-z0-9_]++"
    ),
    # GitLab
    "glpat- glagent- glcbt- gldt- glffct- glft- glimt- gloas- glptt- glrt- glrtr- glsoat- glwt-": (
        r"gl(?:pat|agent|cbt|dt|ffct|ft|imt|oas|ptt|rtr?|soat|wt)-[A-Za-z0-9_-]{16,}+(?:\.[A-Za-z0-9_-]++)*+"
    ),
    "AIza GOCSPX- ya29.": rf"AIza{_WORD}{{35}} | GOCSPX-{_WORD}{{24,}}+ | ya29\.[A-Za-z0-9._-]{{20,}}+",  # Google
    "1//0 4/0A": rf"(?: 1//0 | 4/0A ) {_WORD}{{40,}}+",  # Google OAuth
    "glsa_ glc_eyJ": r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8} | glc_eyJ[A-Za-z0-9+/=]{20,}+",  # Grafana
    "gsk_": r"gsk_[A-Za-z0-9]{40,}+",  # Groq
    # HashiCorp
    "hvb. hvs. hvr. .atlasv1.": r"hv[bsr]\.[A-Za-z0-9_-]{24,}+ | [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}+",
    "HRKU-": rf"HRKU-{_WORD}{{36,}}+",  # Heroku
    "hf_ api_org_": r"(?:hf|api_org)_[A-Za-z0-9]{34}",  # Hugging Face
    "lsv2_": r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",  # LangSmith
    "lin_": r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}+",  # Linear
    "key-": r"key-[a-f0-9]{32}\b",  # Mailgun
    # Microsoft Azure
    "APIM ACDb +ABa +AMC +ASt AIoT +ASb +AEh +ARm": (
        r"[A-Za-z0-9+/]{76} (?: APIM | ACDb | \+(?:ABa|AMC|ASt) ) [A-Za-z0-9+/]{5}[AQgw]=="
        r" | [A-Za-z0-9+/]{33} (?: AIoT | \+(?:ASb|AEh|ARm) ) [A-P][A-Za-z0-9+/]{5}="
    ),
    "Q~": r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}+",  # Microsoft Entra
    "nfc_ nfp_ nfu_": r"nf[cpu]_[A-Za-z0-9]{36,}+",  # Netlify
    "NRAK- NRJS- NRAL": r"NRAK-[A-Z0-9]{27} | NRJS-[a-f0-9]{19} | [a-f0-9]{32}[A-Za-z0-9]{4}NRAL",  # New Relic
    "ntn_ secret_": r"ntn_[A-Za-z0-9]{40,}+ | secret_[A-Za-z0-9]{43}\b",  # Notion
    "npm_": r"npm_[A-Za-z0-9]{36}",  # npm
    "pplx-": r"pplx-[A-Za-z0-9]{32,}+",  # Perplexity
    "pscale_": r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}+",  # PlanetScale
    "PMAK- PMAT-": r"PM(?:AK|AT)-[A-Za-z0-9]{24,}+(?:-[a-f0-9]{34})?",  # Postman
    "pnb_ pnu_": r"pn[bu]_[A-Za-z0-9]{36}",  # Prefect
    "pul-": r"pul-[a-f0-9]{40}",  # Pulumi
    "pypi-Ag": rf"pypi-Ag{_WORD}{{40,}}+",  # PyPI
    "r8_": r"r8_[A-Za-z0-9]{37}",  # Replicate
    "rubygems_": r"rubygems_[a-f0-9]{48}",  # RubyGems
    "SG.": rf"SG\.{_WORD}{{16,32}}\.{_WORD}{{16,64}}+",  # SendGrid
    "sntry": r"sntry[su]_[A-Za-z0-9+/=_-]{40,}+",  # Sentry
    "shpat_ shpca_ shppa_ shpss_ shptka_": r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}",  # Shopify
    # Slack; not `xoxb-your-bot-token`: what is issued has a digit or a capital in it
    "xox xapp-": (
        r"(?:xox[a-z](?:\.xox[a-z])?|xapp)- (?=[a-z-]*+[A-Z0-9]) [A-Za-z0-9-]{8,}+(?:%2[BF][A-Za-z0-9%-]++)?"
    ),
    "sq0": rf"sq0[a-z]{{3}}-{_WORD}{{22,}}+",  # Square
    "k_live_ k_test_ whsec_": r"[rs]k_(?:live|test)_[A-Za-z0-9]{8,}+ | whsec_[A-Za-z0-9+/=]{24,}+",  # Stripe
    "sbp_ sb_secret_": r"sbp_[a-f0-9]{40} | sb_secret_[A-Za-z0-9_-]{20,}+",  # Supabase
    "tskey-": r"tskey-[a-z]{2,12}-[A-Za-z0-9-]{20,}+",  # Tailscale
    "tvly-": r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}+",  # Tavily
    "SK": r"SK[a-f0-9]{32}\b",  # Twilio
    "xai-": r"xai-[A-Za-z0-9]{40,}+",  # xAI
    # Nor `sk-folding-cube-wrapper`.
    "sk-": rf"(?<!-)sk- (?!ecdsa|ssh) (?=[a-z_-]*+[A-Z0-9]) {_WORD}{{16,}}+",  # OpenAI, Anthropic and others
}

TOKEN = compile_later("(?<![A-Za-z0-9_])(?:" + " | ".join(FORMS.values()) + ")", re.VERBOSE)
"""Any of them; the whole match is the token."""

_NEEDLES = tuple(" ".join(FORMS).split())
# `client_secret = ...`, `"API_KEY": "..."`: what a program made has digits among its letters three times, and is no
# path. The keys of a cache, of a bucket or of an attempt are made by programs, too, and are no secrets. The names begin
# with few letters, so that the search passes over all others.
_GIVEN = (
    r"(?:_TOKEN|(?:(?<=API)|(?<=ACCESS)|(?<=PRIVATE)|(?<=SECRET))_KEY|_SECRET|secret|Secret|PASSWORD|password|Password"
    r"|passphrase|(?:api|access|private|secret)(?:[_-]?key|Key)|(?:access|auth)(?:[_-]?token|Token))"
    r"\\?[\"'`]?\s{0,3}[:=]\s{0,3}\\?[\"'`]?"
    r"(?![a-z0-9_-]*+/)(?=[A-Za-z0-9_+/-]{20})(?=(?:[A-Za-z_+/-]{0,60}+[0-9]++){3})[A-Za-z0-9_+/-]++"
)
_BY_WORDS_BEFORE = compile_later(
    rf"-----BEGIN [A-Z ]*PRIVATE KEY|Bearer [A-Za-z0-9._~+/-]{{16,}}|bearer [A-Za-z0-9._~+/-]{{16,}}|{_GIVEN}"
)
_SPELLED = r"(?:[A-Z]{1,12}|[A-Z]?[a-z]{1,12})"
_SHORTEST = 16
# A word that may hold a token: every character that a form has.
LONG = compile_later(rf"[A-Za-z0-9_.:!+/=~%-]{{{_SHORTEST},}}")
# What manuals have in the place of a token: one character again and again, EXAMPLE at its end, or words.
_PLACEHOLDER = compile_later(rf"(.)\1{{7}}\Z|EXAMPLE[A-Z]{{0,8}}\Z|(?:\A| ){_SPELLED}(?:[_-]{_SPELLED})+\.?\Z")


def find_token(text: str) -> str | None:
    """The first token in a text that is no placeholder; many times faster than `TOKEN` where there is none.

    >>> find_token("begin with ghp_, as in ghp_xxxxxxxxxxxxxxxxxxxx") is None
    True
    """
    for part in text.split():
        if len(part) < _SHORTEST:
            continue
        for word in LONG.findall(part):
            # Most documents have no needle, and are spared the 6 ms to compile `TOKEN`.
            token = TOKEN.search(word) if any(map(word.__contains__, _NEEDLES)) else None
            if token and len(token[0]) >= _SHORTEST and not _PLACEHOLDER.search(token[0]):
                return token[0]
    return None


def holds_credential(text: str) -> bool:
    """Whether a text holds what was issued as a credential; words such as "token" alone mean nothing.

    >>> holds_credential("Authorization: Bearer abcdefghijklmnop"), holds_credential("a token")
    (True, False)
    >>> holds_credential("Authorization: Bearer YOUR_TOKEN_HERE"), holds_credential("AKIAIOSFODNN7EXAMPLE")
    (False, False)
    >>> holds_credential("client_secret = k8Jd-2kQ_pLx9Zt4VbN7"), holds_credential("client_secret = that_of_my_app_v2")
    (True, False)
    """
    marks = _BY_WORDS_BEFORE.finditer(text)
    return any(_PLACEHOLDER.search(mark[0]) is None for mark in marks) or find_token(text) is not None


def public_url(url: str) -> str:
    """A URL without what may be a secret in it.

    >>> public_url("https://user:password@host.example/mcp?key=1")
    'https://host.example/mcp'
    """
    from urllib.parse import urlsplit, urlunsplit  # 2 ms that only the name of an address needs

    try:
        parts = urlsplit(url)
    except ValueError:
        return "<not a URL>"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


# -- secrets in data --------------------------------------------------------------------------------------------

# A value in a command line or in code: a digit tells it from a variable that is passed on. A path is none.
_VALUE = r"[\"']?(?!/)(?=[A-Za-z0-9+/_-]{0,40}[0-9])[A-Za-z0-9+/_-]{6,}"
_ASSIGNED = compile_later(
    rf"(?:_KEY|TOKEN|SECRET|PASSWORD|PASSWD)={_VALUE}|--(?:api-key|token|secret|password)[ =]{_VALUE}"
    r"|://[^\s/:@$]{1,64}:[^\s/@${<]{3,128}@"
)
_SECRET_NAME = compile_later(
    r"(?:(?:api|access|private|secret|signing|encryption|client)[_-]?key|token|secret|passw(?:or)?d|passphrase|credentials?)\Z",
    re.IGNORECASE,
)
# What stands for a value that is elsewhere: a template, a variable by its name, a path, a vault.
_REFERENCE = compile_later(r"\$|\{\{|<|\.{0,2}/|(?:vault|oauth|env|secrets?)[:.]|[A-Z][A-Z0-9_]*\Z")

# A key as a program makes it: digits among letters for long, or a UUID.
_GENERATED = compile_later(
    r"(?=[a-z0-9]{0,60}[0-9][a-z]{1,60}[0-9])[a-z0-9]{16,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
)


def names_a_secret(key: str) -> bool:
    """Whether what stands under this key is a secret, by its name.

    >>> names_a_secret("OPENAI_API_KEY"), names_a_secret("keyboard")
    (True, False)
    """
    return _SECRET_NAME.search(key[-80:]) is not None


def looks_generated(name: str) -> bool:
    """Whether a text that has the form of a name looks like a key instead.

    >>> looks_generated("a8f5f167f44f4964e6c998dee827110c"), looks_generated("openai-api-key")
    (True, False)
    """
    return _GENERATED.search(name) is not None


def find_secret(data: Any, pointer: str = "", *, by_name: bool = True) -> str | None:
    """Where in data a secret stands; `None` if none is seen. It takes any depth.

    Without `by_name` a key such as `API_KEY` is no sign: in a list of secrets every key is one.

    >>> find_secret({"env": {"API_KEY": "hunter2", "B_KEY": "${secrets.B}"}})
    '/env/API_KEY'
    """
    for path, key, value in walk_values(data):
        if isinstance(value, dict):
            is_secret = any(map(holds_credential, value))  # a key is one, so that no pointer may name it
        elif isinstance(value, str) and (holds_credential(value) or _ASSIGNED.search(value)):
            is_secret = True
        else:
            is_secret = by_name and names_a_secret(key) and _is_literal(value)
        if is_secret:
            return pointer + pointer_of_path(path)
    return None


def _is_literal(value: Any) -> bool:
    if isinstance(value, str):
        return value != "" and not _REFERENCE.match(value)
    return isinstance(value, int | float) and not isinstance(value, bool)
