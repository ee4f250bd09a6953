"""Whether what stands under a name is a secret, by the words that the name is made of.

A name is read alike in every notation: `dbPassword`, `DB_PASSWORD`, `db-password`, `db.password` and "DB password". Its
last word decides, and the word before says what kind of key or code is meant, so `password_hint` and `token_type` need
no entry here.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from itertools import takewhile

from toolglot.runtime.bridge.redaction.word_search import after, either, in_small_letters


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


# What a secret is called, also at the end of a longer word, such as `rolpassword`.
_ENDINGS = {
    NameKind.PASSWORD: words_of(
        "password passwords passwd passwort kennwort wachtwoord passphrase secret pwd pw psk community"
    ),
    NameKind.TEXT: words_of(
        "token credential credentials apikey authkey accesskey secretkey privatekey privkey signingkey "
        "encryptionkey licensekey sharedkey masterkey accountkey storagekey servicekey serverkey appkey writekey "
        "cryptkey sessionkey hmackey"
    ),
    NameKind.MIXED: words_of("pass"),
}

_WHOLE_WORDS = {
    NameKind.PASSWORD: words_of(
        "pswd passphrases totp requirepass masterauth senha passe parola parole "
        "סיסמה 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호"
    ),
    NameKind.TEXT: words_of("cred creds mnemonic authtok genkey pwgen"),
    NameKind.MIXED: words_of("passcode passkey clave puk keypass schlüssel schlüsselinhalt sleutel decrypted"),
    NameKind.CODE: words_of("pin pins otp tan mpin pincode"),
    NameKind.GENERATED: words_of("auth pat seed phpsessid jsessionid sas hmac ntlm nthash private"),
}
_KINDS_OF_WORDS = {word: kind for kind, words in (*_ENDINGS.items(), *_WHOLE_WORDS.items()) for word in words}
_NO_PASSES = words_of(
    "buypass keepass lastpass compass bypass trespass encompass surpass underpass overpass boardingpass skipass "
    "daypass seasonpass"
)
# Words that are secret only behind another one, and those others.
_WORDS_BEFORE = {
    "key": (
        "api access secret private signing signature encryption encrypt decryption account shared subscription storage "
        "function functions consumer deploy webhook hmac license licence auth write device master validation "
        "integration unseal root recovery admin ingest ingestion server wallet activation product preshared psk "
        "wifi wireless security symmetric aes fernet cipher crypto jwt bot service app application authentication "
        "authorization client passphrase password token tsig rest stream streaming session cookie vault pairing setup "
        "volume serial publish deployment webhooks partner merchant tenant project team user personal managed wpa "
        "network wlan obfs cluster gossip join provisioning registration enrollment reset magic backup unlock ssl tls "
        "isakmp ike ospf bgp tacacs radius eigrp ntp"
    ),
    "code": (
        "tan recovery backup verification security alarm access door gate entry time auth authentication login "
        "confirmation pairing unlock fa mfa sms scratch emergency reset activation in passcode lock safe otp pass one "
        "digit digits factor step authorization up device garage keypad tür "
        "guard master guest inlog toegangs verificatie beveiligings bevestigings zugangs sicherheits bestätigungs "
        "freischalt garden parental screen building vault use"
    ),
    "phrase": "seed recovery secret backup mnemonic pass",
    "community": "snmp ro rw",
    "id": "secret",
    "word": "pass seed recovery mnemonic",
    "hash": "password passwd nt ntlm lm pwd",
    "content": "key",
    "cookie": "erlang session auth magic rabbitmq login remember",
}
_QUALIFIED = {word: words_of(text) for word, text in _WORDS_BEFORE.items()}

_KINDS_OF_QUALIFIED = {
    "id": NameKind.MIXED,
    "code": NameKind.CODE,
    "hash": NameKind.GENERATED,
    "cookie": NameKind.GENERATED,
}

_PLAIN_KEYS = words_of(
    "foreign sort partition cache object idempotency registry lookup map unique composite range row "
    "message event group order hash translation i18n config dictionary index json natural surrogate candidate "
    "recv gpg pgp ssh trusted authorized host hot short shortcut record s3 site measurement data socket s"
)
_PLAIN_TOKENS = words_of(
    "next page continuation continue resume sync pad bos eos unk mask sep cls stop special cancellation cancel skip "
    "delta cursor pagination paging previous prev prompt completion input output syntax keyword unexpected expected "
    "max min total num jsonweb design separator change marker list scroll progress lock idempotency"
)
_PLAIN_ANYWHERE = words_of(
    "public publishable pub checksum encrypted sealed hashed existing invalid wrong incorrect expired missing bad "
    "unknown nopasswd nopassword forgot forgotten require requires required has is no use enable show hide allow "
    "allowed digest"
)
_PLAIN = words_of(
    "id name user username realm login email mail type kind date time created updated modified at expires expiry "
    "expiration ttl url uri link endpoint host hostname port path file filename dir directory region zone status state "
    "version description title label scope role arn algorithm alg format encoding length size count min "
    "max policy engine database dbname domain message code reason hint help error placeholder resolved integrity "
    "issuer audience env ref policies permission enabled disabled active provider tenant vault locked "
    "optional accessor fingerprint thumbprint usage author owner server"
)
# Words behind which a name says whose value it is, or where.
_LINKS = words_of("for of from")

# Words after the noun that change nothing: the value of a password is the password.
_FILLERS = words_of(
    "value text string plain plaintext cleartext clear raw data base b binary old new current previous prod production "
    "dev development staging stage test live sandbox primary secondary backup confirmation confirm confirmed again "
    "repeat result material str val"
)

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+")
_TYPE = re.compile(r".*::[A-Z]+[a-z]\w*")  # which names no value; with small letters, Puppet has its values so
_LONGEST = 100  # characters of a name

# What the name of a secret has in it, in small letters; the short ones only as words of their own.
_SHORT = ("pin", "otp", "auth", "pat", "seed", "tan", "puk", "mpin", "sas", "hmac", "ntlm")
ANCHORS = either(
    r"pass|pwd|pswd|secret|token|cred|key|psk|mnemonic|kennwort|contrase|senha|wachtwoord|parol|heslo|has[łl]o|lösenord"
    r"|salasana|adgangskode|lozinka|jelsz|şifre|sifre|geslo|slaptažod|sandi|парол|κωδικό[σς]|סיסמה|密码|密碼|口令|パスワード"
    r"|暗証番号|비밀번호|암호|clave|schlüssel|sleutel|community|phpsessid|phpsessionid|jsessid|jsessionid"
    r"|decrypted|authtok|masterauth|totp|nthash|pwgen|pw(?![^\W\d_])|code|phrase|salt|cookie|hash|words|content",
    after(r"(?<![^\W\d_])", *_SHORT, then=r"(?![^\W\d_])"),
    after(r"[a-z_]", "pat", "auth", "otp", "pin", "pw", then=r"(?![a-z])"),
    after(r"(?<![\w-])", "value", "result", "plaintext", then=r"(?=[\"']?[ ]{0,20}[:=])"),
)


@lru_cache(4096)
def judge_name(name: str) -> NameKind:
    """What a name says of its value.

    >>> judge_name("clientSecret").name, judge_name("nextPageToken").name, judge_name("Unseal Key 1").name
    ('PASSWORD', 'PLAIN', 'TEXT')
    """
    words = _WORD.findall(in_small_letters(_HUMPS.sub(" ", name[-_LONGEST:])))
    if not words or _TYPE.fullmatch(name):
        return NameKind.UNKNOWN
    words = list(takewhile(lambda word: word not in _LINKS, words)) or words
    while len(words) > 1 and words[-1] in _FILLERS:
        words.pop()
    head, before = words[-1], words[-2] if len(words) > 1 else ""
    is_plain_token = head.endswith("token") and not _PLAIN_TOKENS.isdisjoint(
        (head.removesuffix("token"), before, words[0])
    )
    if is_plain_token or not _PLAIN_ANYWHERE.isdisjoint((words[0], *words[-4:])):
        return NameKind.PLAIN
    if head == "pass" and before:
        return NameKind.UNKNOWN if before + head in _NO_PASSES else NameKind.PASSWORD
    if _STEM.fullmatch(head):
        return NameKind.PASSWORD
    if head in _KINDS_OF_WORDS:
        return _KINDS_OF_WORDS[head]
    for kind, endings in _ENDINGS.items():
        if any(map(head.endswith, endings)) and head not in _NO_PASSES:
            return kind
    kind = _judge_qualified(head.removesuffix("s"), before)
    if kind is NameKind.UNKNOWN and "_" in name and is_name_of_secret(name.rpartition("_")[0]):
        return NameKind.GENERATED  # `API_KEY_STRIPE`
    return kind


_STEM = re.compile(  # of a word for a password in a language that inflects it
    r"(?:passord|lösenord|heslo|hesl|hasł|salasana|adgangskode|lozink|jelsz|şifre|sifre|gesl|slaptažod|sandi|парол"
    r"|κωδικ|kennwort|passwort|wachtwoord|contraseñ|contrasen)\w{0,4}"
)


def _judge_qualified(head: str, before: str) -> NameKind:
    """The same for a noun that says little alone."""
    if before in _QUALIFIED.get(head, ()):
        return _KINDS_OF_QUALIFIED.get(head, NameKind.TEXT)
    if head.endswith("code") and head.removesuffix("code") in _QUALIFIED["code"]:
        return NameKind.CODE
    if len(head) > 6 and head.endswith("salt"):
        return NameKind.GENERATED
    if before and (head == "salt" or (head == "key" and before not in _PLAIN_KEYS)):
        return NameKind.GENERATED
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
    return word.lower() in ("key", *_KINDS_OF_WORDS)
