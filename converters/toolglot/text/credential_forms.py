"""Tokens that tell by their form that they are credentials: one list for whatever looks for secrets.

Issuers begin their tokens with words of their own so that they can be found where they do not belong. A row is the
issuer and the form, as regular expressions have it; every form is linear and never given back. Words that only stand
beside a secret, such as `token`, are not here.

Some secrets are told by the address that they stand in instead, such as that of an incoming webhook.
"""

from __future__ import annotations

import re

_WORD = r"[A-Za-z0-9_-]"

FORMS = (
    ("1Password", r"ops_eyJ[A-Za-z0-9_=-]{40,}+"),
    ("age", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("Airtable", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("Alibaba Cloud", r"LTAI[A-Za-z0-9]{16,24}\b"),
    ("Amazon", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16} | ABSK[A-Za-z0-9+/]{100,}+=*+"),
    ("Atlassian", r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=+/-]{24,}+"),
    ("Brevo", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    ("Contentful", rf"CFPAT-{_WORD}{{40,}}+"),
    ("crates.io", r"cio[A-Za-z0-9]{32}\b"),
    ("Databricks", r"dapi[a-f0-9]{32}(?:-[0-9]++)?"),
    ("DigitalOcean", r"do[oprt]_v1_[a-f0-9]{64}"),
    ("Docker", rf"dckr_[op]at_{_WORD}{{20,}}+"),
    ("Doppler", r"dp\.(?:audit|ct|pt|scim|sa|st)\.[A-Za-z0-9._-]{30,}+"),
    ("Dynatrace", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("Figma", rf"fig[dou]r?_{_WORD}{{30,}}+"),
    ("Fly.io", r"fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}+ | fo1_[A-Za-z0-9_-]{40,}+"),
    ("GitHub", r"gh[pousr]_[A-Za-z0-9]++ | github_pat_[A-Za-z0-9_]++"),
    ("GitLab", r"gl(?:pat|agent|cbt|dt|ffct|ft|imt|oas|ptt|rtr?|soat|wt)-[A-Za-z0-9_-]{16,}+(?:\.[A-Za-z0-9_-]++)*+"),
    ("Google", rf"AIza{_WORD}{{35}} | GOCSPX-{_WORD}{{24,}}+ | ya29\.{_WORD}{{20,}}+"),
    ("Grafana", r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8} | glc_eyJ[A-Za-z0-9+/=]{20,}+"),
    ("Groq", r"gsk_[A-Za-z0-9]{40,}+"),
    ("HashiCorp", r"hv[bsr]\.[A-Za-z0-9_-]{24,}+ | [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}+"),
    ("Heroku", rf"HRKU-{_WORD}{{36,}}+"),
    ("Hugging Face", r"(?:hf|api_org)_[A-Za-z0-9]{34}"),
    ("LangSmith", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    ("Linear", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}+"),
    ("Mailgun", r"key-[a-f0-9]{32}\b"),
    (
        "Microsoft Azure",
        r"[A-Za-z0-9+/]{76} (?: APIM | ACDb | \+(?:ABa|AMC|ASt) ) [A-Za-z0-9+/]{5}[AQgw]=="
        r" | [A-Za-z0-9+/]{33} (?: AIoT | \+(?:ASb|AEh|ARm) ) [A-P][A-Za-z0-9+/]{5}=",
    ),
    ("Microsoft Entra", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}+"),
    ("Netlify", r"nf[cpu]_[A-Za-z0-9]{36,}+"),
    ("New Relic", r"NRAK-[A-Z0-9]{27} | NRJS-[a-f0-9]{19}"),
    ("Notion", r"ntn_[A-Za-z0-9]{40,}+ | secret_[A-Za-z0-9]{43}\b"),
    ("npm", r"npm_[A-Za-z0-9]{36}"),
    ("Perplexity", r"pplx-[A-Za-z0-9]{32,}+"),
    ("PlanetScale", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}+"),
    ("Postman", r"PM(?:AK|AT)-[A-Za-z0-9]{24,}+(?:-[a-f0-9]{34})?"),
    ("Prefect", r"pn[bu]_[A-Za-z0-9]{36}"),
    ("Pulumi", r"pul-[a-f0-9]{40}"),
    ("PyPI", rf"pypi-Ag{_WORD}{{40,}}+"),
    ("Replicate", r"r8_[A-Za-z0-9]{37}"),
    ("RubyGems", r"rubygems_[a-f0-9]{48}"),
    ("SendGrid", rf"SG\.{_WORD}{{16,32}}\.{_WORD}{{16,64}}+"),
    ("Sentry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}+"),
    ("Shopify", r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"),
    ("Slack", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]++ | xapp-[A-Za-z0-9-]{8,}+"),
    ("Square", rf"sq0[a-z]{{3}}-{_WORD}{{22,}}+"),
    ("Stripe", r"[rs]k_(?:live|test)_[A-Za-z0-9]{8,}+ | whsec_[A-Za-z0-9+/=]{24,}+"),
    ("Supabase", r"sbp_[a-f0-9]{40} | sb_secret_[A-Za-z0-9_-]{20,}+"),
    ("Tailscale", r"tskey-[a-z]{2,12}-[A-Za-z0-9-]{20,}+"),
    ("Tavily", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}+"),
    ("Twilio", r"SK[a-f0-9]{32}\b"),
    ("xAI", r"xai-[A-Za-z0-9]{40,}+"),
    # Not `sk-folding-cube-wrapper`: what is issued has a digit or a capital in it.
    ("OpenAI, Anthropic and others", rf"(?<!-)sk- (?=[a-z_-]*+[A-Z0-9]) {_WORD}{{16,}}+"),
)

TOKEN = re.compile("(?<![A-Za-z0-9_])(?:" + " | ".join(form for _, form in FORMS) + ")", re.VERBOSE)
"""Any of them; the whole match is the token."""

ADDRESSES = (
    ("Discord", "webhooks", r"/api/webhooks/[0-9]{15,20}/ ([A-Za-z0-9_-]{60,}+)"),
    ("Microsoft Teams", "webhook.office", r"(?<=\.webhook\.office\.com/webhookb2/) [A-Za-z0-9@/_-]{30,}+"),
    ("Slack", "hooks.slack", r"(?<=//hooks\.slack\.com/services/) T[A-Z0-9]++ / B[A-Z0-9]++ / [A-Za-z0-9]++"),
    ("Telegram", ":aa", r"(?<![0-9]) [0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
)
"""Issuer, a word in small letters without which a text has no such address, and the form: its group is the secret, or
all of it where it has none."""

_SHORTEST = 16
_LONG = re.compile(rf"[A-Za-z0-9_.+/=~-]{{{_SHORTEST},}}")
_PLACEHOLDER = re.compile(r"(.)\1{7}\Z")


def find_token(text: str) -> str | None:
    """The first token in a text that is no placeholder; many times faster than `TOKEN` where there is none.

    >>> find_token("begin with ghp_, as in ghp_xxxxxxxxxxxxxxxxxxxx") is None
    True
    """
    for part in text.split():
        if len(part) < _SHORTEST:
            continue
        for word in _LONG.findall(part):
            token = TOKEN.search(word)
            if token and len(token[0]) >= _SHORTEST and not _PLACEHOLDER.search(token[0]):
                return token[0]
    return None
