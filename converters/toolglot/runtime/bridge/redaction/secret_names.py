"""Whether what stands under a name is a secret, by the words that the name is made of.

A name is read alike in every notation: `dbPassword`, `DB_PASSWORD`, `db-password`, `db.password` and "DB password". Its
last word decides, and the word before says what kind of key or code is meant, so `password_hint` and `token_type` need
no entry here.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache


class NameKind(IntEnum):
    """What a name says of its value, from "it is no secret" to "whatever it is, it is one"."""

    PLAIN = 0  # also below the name of a secret, as `user` is in `credentials`
    UNKNOWN = 1
    GENERATED = 2  # a secret where a program made it
    MIXED = 3  # where letters and digits are in it
    CODE = 4  # where four digits and more are in it
    TEXT = 5  # a secret, but not a number, which may be an id or a size
    PASSWORD = 6


def words_of(text: str) -> frozenset[str]:
    """A set of words that blanks part."""
    return frozenset(text.split())


_PASSWORDS = words_of(
    "password passwords passwd passwort pwd pswd pw passphrase secret totp kennwort contraseña contrasena "
    "senha passe requirepass masterauth wachtwoord parola lösenord heslo hasło пароль 密码 密碼 パスワード 비밀번호"
)
_TEXTS = words_of("token credential credentials cred creds psk mnemonic authtok")
_ENDINGS = ("password", "passwd", "passwort", "passphrase", "secret", "token", "credential", "pwd")
"""What a secret is called also at the end of a longer word, such as `rolpassword`."""

_KEYS = ("apikey", "authkey", "accesskey", "secretkey", "privatekey", "signingkey", "encryptionkey", "licensekey")
_NO_PASSES = words_of("buypass compass bypass trespass encompass surpass underpass overpass")
_GENERATED = words_of("auth pat seed passkey")
_CODES = words_of("pin otp passcode")
_QUALIFIED = {
    "key": words_of(
        "api access secret private signing signature encryption encrypt decryption account shared subscription storage "
        "function functions consumer deploy webhook hmac license licence auth write device master validation "
        "integration unseal root recovery admin ingest ingestion server wallet activation product preshared psk "
        "wifi wireless security symmetric aes fernet cipher crypto jwt bot service app application authentication "
        "authorization client passphrase password token tsig rest stream streaming"
    ),
    "code": words_of(
        "recovery backup verification security alarm access door gate entry time auth authentication login "
        "confirmation pairing unlock fa mfa sms scratch emergency reset activation in passcode lock safe otp pass one"
    ),
    "phrase": words_of("seed recovery secret backup mnemonic pass"),
    "word": words_of("seed recovery mnemonic"),
    "hash": words_of("password passwd nt ntlm lm pwd"),
    "content": words_of("key"),
    "cookie": words_of("erlang session auth magic rabbitmq login remember"),
}
"""Words that are secret only behind another one, and those others."""

_KINDS_OF_QUALIFIED = {"code": NameKind.CODE, "hash": NameKind.GENERATED, "cookie": NameKind.GENERATED}

_PLAIN_KEYS = words_of(
    "foreign sort partition cache object idempotency registry lookup map unique composite range row "
    "message event group order hash translation i18n config dictionary index json natural surrogate candidate "
    "recv gpg pgp ssh trusted authorized host hot short shortcut record s3 site measurement data"
)
_PLAIN_TOKENS = words_of(
    "next page continuation continue resume sync pad bos eos unk mask sep cls stop special cancellation cancel skip "
    "delta cursor pagination paging previous prev prompt completion input output syntax keyword unexpected expected "
    "max min total num design separator sync change marker list scroll progress"
)
_PLAIN_ANYWHERE = words_of(
    "public publishable pub checksum encrypted sealed hashed existing invalid wrong incorrect expired missing bad "
    "unknown forgot forgotten require requires required has is no use enable show hide allow allowed digest"
)
_PLAIN = words_of(
    "id ids name user username login email mail type kind date time created updated modified at expires expiry "
    "expiration ttl url uri link endpoint host hostname port path file filename dir directory region zone status state "
    "version description title label scope scopes role roles arn algorithm alg format encoding length size count min "
    "max policy engine database dbname domain message code reason hint help error placeholder resolved integrity "
    "issuer audience env ref policies permission permissions enabled disabled active provider tenant vault locked "
    "required optional accessor fingerprint thumbprint usage use author owner server"
)
_FILLERS = words_of(
    "value text string plain plaintext cleartext clear raw data base b binary old new current previous prod production "
    "dev development staging stage test live sandbox primary secondary backup confirmation confirm confirmed again "
    "repeat result material str val"
)
"""Words after the noun that change nothing: the value of a password is the password."""

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 100  # characters of a name

ANCHORS = (
    r"pass|pwd|pswd|secret|token|cred|key|psk|mnemonic|kennwort|contrase|senha|wachtwoord|parola|heslo|has[łl]o|lösenord"
    r"|пароль|密码|密碼|パスワード|비밀번호|(?<![^\W\d_])(?:pw|pin|otp|auth|pat|seed)(?![^\W\d_])"
    r"|authtok|masterauth|totp|(?<=[A-Za-z_])(?:PAT|AUTH|OTP|PIN|PW)(?![A-Za-z])|code|phrase|salt|cookie|hash|words|content"
    r"|(?<![\w-])(?:value|result|plaintext)(?=[\"']?[ ]{0,20}[:=])"
)
"""What the name of a secret has in it, for `re.IGNORECASE`."""


@lru_cache(4096)
def judge_name(name: str) -> NameKind:
    """What a name says of its value.

    >>> judge_name("clientSecret").name, judge_name("nextPageToken").name, judge_name("Unseal Key 1").name
    ('PASSWORD', 'PLAIN', 'TEXT')
    """
    words = [word.lower() for word in _WORD.findall(_HUMPS.sub(" ", name[-_LONGEST:]))]
    if not words:
        return NameKind.UNKNOWN
    count = len(words)
    while len(words) > 1 and words[-1] in _FILLERS:
        words.pop()
    if words in (["key"], ["keys"]) and count > 1:
        return NameKind.GENERATED
    head, before = words[-1], words[-2] if len(words) > 1 else ""
    if not _PLAIN_ANYWHERE.isdisjoint(words):
        return NameKind.PLAIN
    if head in _PASSWORDS:
        return NameKind.PASSWORD
    if head == "pass":
        return NameKind.PASSWORD if before else NameKind.MIXED
    if head.endswith("pass") and head not in _NO_PASSES:
        return NameKind.MIXED
    if head.endswith("token") and (head.removesuffix("token") or before) in _PLAIN_TOKENS:
        return NameKind.PLAIN
    if head in _TEXTS or head.endswith(_KEYS):
        return NameKind.TEXT
    if head.endswith(_ENDINGS):
        return NameKind.TEXT if head.endswith(("token", "credential")) else NameKind.PASSWORD
    return _judge_qualified(head.removesuffix("s"), before)


def _judge_qualified(head: str, before: str) -> NameKind:
    """The same for a noun that says little alone."""
    if before in _QUALIFIED.get(head, ()):
        return _KINDS_OF_QUALIFIED.get(head, NameKind.TEXT)
    if head in _CODES:
        return NameKind.CODE
    if head in _GENERATED or (before and head == "salt"):
        return NameKind.GENERATED
    if head == "key":
        return NameKind.GENERATED if before and before not in _PLAIN_KEYS else NameKind.UNKNOWN
    return NameKind.PLAIN if head in _PLAIN or f"{head}s" in _PLAIN else NameKind.UNKNOWN


def is_name_of_secret(name: str) -> bool:
    """Whether a text under this name is a secret, whatever it is.

    >>> is_name_of_secret("clientSecret"), is_name_of_secret("password_hint")
    (True, False)
    """
    return judge_name(name) >= NameKind.TEXT


def is_noun_of_secret(word: str) -> bool:
    """Whether a word is what a secret is called, and not a longer one that ends so.

    >>> is_noun_of_secret("Password"), is_noun_of_secret("supersecret")
    (True, False)
    """
    small = word.lower()
    return small in _PASSWORDS or small in _TEXTS or small in _KEYS or small in _GENERATED or small == "key"
