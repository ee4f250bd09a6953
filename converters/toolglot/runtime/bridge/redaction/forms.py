"""Secrets that are told by their form, or by the words of the program, the protocol or the file that they stand in.

Every form is linear: what it runs over is bounded, or ends where the next match could begin, and is never given back.
The secret is group 1, or all that matches.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

from toolglot.converter.text.credentials import TOKEN
from toolglot.runtime.bridge.redaction.names_in_text import TextSpans
from toolglot.runtime.bridge.redaction.secret_names import is_noun_of_secret
from toolglot.runtime.bridge.redaction.secret_values import (
    is_chosen,
    is_generated,
    is_mixed,
    is_placeholder,
    is_quoted_secret,
    is_random,
    stands_elsewhere,
)

_CONSTANT = re.compile(r"[A-Z_]+")


def _decode_base64(word: str) -> bytes:
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return b""


def _is_key_in_base64(word: str) -> bool:
    return b"PRIVATE KEY" in _decode_base64(word[:80])


def _is_user_and_password(word: str) -> bool:
    return b":" in _decode_base64(word)


def _is_no_constant(word: str) -> bool:
    return not _CONSTANT.fullmatch(word)


def _is_bearer(word: str) -> bool:
    return is_mixed(word) or (len(word) >= 16 and _is_no_constant(word))


def _is_cookie(word: str) -> bool:
    return is_generated(word) and sum(map(str.isalpha, word)) > 3  # not what counts visitors


_QUOTE = r"""\\?["']?"""
_COLON = (
    rf"(?: {_QUOTE} , \s{{0,40}} {_QUOTE} value )? {_QUOTE} [ \t]{{0,16}} [:=] [ \t]{{0,16}} (?: \[ [ ]? )? {_QUOTE}"
)
_USERS = """(?: logins? | user(?:name)? | admin | root | accounts? | auth | cred(?:ential)?s? | guest | usuario | utente
    | benutzer | utilisateur | gebruiker | konto | compte | cuenta | zugang )"""
_SECRET_BLOCK = r"(?: [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)? | OpenVPN\ Static\ key\ V1 )-----"
_SCHEMES = "(?: bearer | basic | token | negotiate | apikey | aws4-hmac-sha256 | ssws | key | genie-?key )"
_READERS = r"""(?: \b chpasswd | keystore\ add | --with-token | \b sudo\ -S | --password-stdin | \b passwd\ --stdin
    | \b cryptsetup | \b kinit )"""
_DOORS = "(?: door | gate | alarm | garage | safe | entrance | deur | poort | kluis | tür | porte | puerta )"
_BREAK = r"(?: \s | \\[rn] | [.]{2} ){1,4}"
_WORD_OF_PHRASE = r"(?! (?: the|and|for|are|was|not|but|from|you|your|has|had|can|its ) \b ) [a-z]{3,8}"
_QUOTED = r"""["'] [^"'\n]{0,200} ["'] \s{0,4} , \s{0,8}"""

# What stands before a password and its quote, and the programs that take one so: all whose names begin so.
_PROGRAMS = {
    "-p [ ]": "mongo cqlsh useradd usermod crackmapexec evil-winrm doveadm beeline hdbsql dotnet psexec ncftp",
    "-P [ ]?": "sqlcmd zip unzip isql bcp ipmitool mosquitto_",
    "-p": "mysql mariadb 7z",
    r"-U [ ]? [^\s%]{1,80}+ %": "smbclient rpcclient",
    "-s [ ]": "slappasswd ldappasswd",
    "-p [ ]?": "sshpass",
    "-a [ ]": "redis-cli",
    "-w [ ]": "ldap",
    "(?: -[Ac] | community ) [ ]": "snmp",
    "-X [ ]": "snmp",
    r"(?: /?user [ :] | use [ ] (?: [\w*]:? [ ] )? \\\\ ) \S{1,80}+ [ ] (?!/)": "net",
    r"\S{0,60}?(?:PAT|PASS|PASSWORD|PWD|SECRET|TOKEN|KEY) [ ]": "setx",
    r"""(?:-String [ ])? (?=["'])""": "ConvertTo-SecureString",
    r"""--from-literal= ["']? [\w.-]{1,80}+ =""": "kubectl",
    ">": "ACL",
    r"(?:add_user|change_password) [ ] \S{1,80}+ [ ]": "rabbitmqctl",
    "(?: -pass(?:in|out)? [ ] pass: | -k [ ] )": "openssl",
    r"-u [ ] [^\s,]{1,80}+ ,": "lftp",
    "/r?p [ :]": "xfreerdp schtasks signtool",
    r"-[a-zA-Z]* (?: n[a-zA-Z]* | b[a-zA-Z]* [ ] \S{1,200}+ ) [ ] \S{1,80}+ [ ]": "htpasswd",
    "obscure [ ]": "rclone",
    "IDENTIFY [ ]": "NickServ",
    r"\+login [ ] \S{1,80}+ [ ] (?![+])": "steamcmd",
    r"-m [ ] \S{1,20}+ [ ]": "mkpasswd",
    r"(?:-a|--auth) [ =]? [^\s:]{1,80}+ :": "http",
    "-h?p": "rar",
    "operator [ ] unseal [ ]": "vault",
    "-[NP] [ ]": "ssh-keygen",
    r"\S{1,40}+ [ ]": "wpa_passphrase",
    r"-setairportnetwork [ ] \S{1,20}+ [ ] \S{1,40}+ [ ]": "networksetup",
    "-[kpPw] [ ] (?! codesigning | basic )": "security",
    "-ap [ ]": "swaks",
    r"user [ ] \S{1,80}+ [ ] using [ ]": "db2",
    r"alias [ ] set (?: [ ] \S{1,80}+ ){3} [ ]": "mc",
}

# A word in small letters without which a text has no such secret, and the form.
_FORMS = (
    (
        "eyj",
        r"(?<![A-Za-z0-9_-]) (?: eyJ[A-Za-z0-9_-]{4,}+ (?: \.[A-Za-z0-9_-]*+ ){2,4} | eyJpdiI6[\w+/=%-]{60,}+ )",
    ),  # JSON Web Tokens, and Laravel's
    (
        "-----begin",
        rf"""-----BEGIN\ {_SECRET_BLOCK} (?= \s | \\ ) [\s\S]*? (?: -----END\ {_SECRET_BLOCK} | \Z )""",
    ),
    (  # the rest of one that is cut off before
        "-----end",
        rf"^ (?: \W{{0,8}} [A-Za-z0-9+/]{{16,80}}+ =*+ \s{{1,8}} ){{1,100}}+ -----END\ {_SECRET_BLOCK}",
    ),
    (
        "---- begin",
        r"---- [ ] BEGIN [ ] [A-Z0-9 ]{0,40} PRIVATE [ ] KEY [ ] ---- [\s\S]*? (?: ---- [ ] END \b [^\n]*+ | \Z )",
    ),
    ("private-lines", r"^ Private-Lines: [ ] [0-9]{1,4} \s{1,2} ( [\w+/=]++ (?: \s{1,2} [\w+/=]++ $ )*+ )"),  # PuTTY
    # Hashes of passwords: of crypt and its heirs, PostgreSQL, Django, LDAP, Windows and MySQL
    (
        "$",
        r"""(?<![\w$]) (?: pbkdf2_sha\d{1,3} | argon2 | bcrypt(?:_sha256)? | scrypt
              | \${1,2} (?: [1567yA] | 2[abxy]? | gy | apr1 | argon2\w{1,2} | scrypt | P | H | pbkdf2[\w-]{0,12} ) )
            \${1,2} [\w./$=,+-]{20,}+""",
    ),
    ("password ", r"\b PASSWORD [ ] [\w.@-]{1,60} [ ] = [ ] (\S{6,200})"),  # as Elasticsearch tells those of its users
    ("scram-sha", r"SCRAM-SHA-\d{1,3} \$ [0-9]{1,8} : [\w+/=]++ \$ [\w+/=:]++"),
    ("sha", r"\{ S?SHA (?: 256 | 384 | 512 )? \} [A-Za-z0-9+/]{20,}+ =*+"),
    (":::", r": [0-9]{1,9} : [0-9a-f]{32} : (?!31d6cfe0d16ae931b73c59d7e0c089c0) ([0-9a-f]{32}) :::"),  # not of none
    ("*", r"(?<!\w) \* [0-9A-F]{40} (?!\w)"),
    ("-pbkdf2", r"-pbkdf2 (?: :\w{1,9} )? - [0-9a-f]{40,}+ , [0-9a-f]{32,}+ , [0-9]++"),
    ("md5", r"(?<![\w-]) md5[0-9a-f]{32} (?!\w)"),
    ("-", r"(?<![\w-]) [0-9]{6} (?: - [0-9]{6} ){7} (?! [\w-] )"),  # the recovery key of BitLocker
    # Tokens that begin with no word of their own, and the addresses of incoming webhooks
    (":", r"(?<![\w/]) [0-2] (?: /[0-9]{16} ){1,2} : [a-f0-9]{32} \b"),  # Asana
    ("0.", r"(?<![\w.-]) 0\.[a-f0-9]{8}-[a-f0-9-]{27}\.[A-Za-z0-9]{20,}+:[A-Za-z0-9+/=]{20,}+"),  # Bitwarden
    (".", r"(?<![\w.-]) [MNO][A-Za-z0-9_-]{23,27} \. [A-Za-z0-9_-]{6} \. [A-Za-z0-9_-]{27,38}+ (?![\w-])"),  # Discord
    (":", r"(?<![\w:-]) [a-f0-9]{24} : [a-f0-9]{64} \b"),  # Ghost
    ("-", r"(?<![\w-]) (?: sdk | api ) -[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9-]{17}"),  # LaunchDarkly
    ("-us", r"(?<!\w) [a-f0-9]{32}-us[0-9]{1,2} \b"),  # Mailchimp
    ("-", r"(?<![\w-]) [a-f0-9]{32} (?: -[a-f0-9]{8} ){2} (?![\w-])"),  # Mailgun
    ("-", r"(?<![\w-]) (?= [A-Z-]{0,40} [0-9] ) (?: [A-Z0-9]{5}- ){4} [A-Z0-9]{5} (?![\w-])"),  # Microsoft, and others
    ("!", r"(?<=!) [\w.-]{1,40}= ([a-f0-9]{8}-[a-f0-9-]{27}) \b"),  # Proxmox
    ("s", r"(?<!\w) S[A-Z2-7]{55} (?!\w)"),  # Stellar
    ("ac", r"(?<![a-z0-9]) AC[a-f0-9]{32} [\s\"',:]{1,6} ([a-f0-9]{32}) \b"),  # Twilio
    ("webhook.office", r"(?<=\.webhook\.office\.com/webhookb2/) [A-Za-z0-9@/_-]{30,}+"),  # Microsoft Teams
    ("hooks.zapier", r"//hooks\.zapier\.com/hooks/catch/ ([\w/]++)"),
    ("hooks.slack", r"//hooks\.slack\.com/ (?: service | workflow | trigger ) s/ (T[A-Z0-9]++ / [\w/]++)"),  # Slack
    (":aa", r"(?<![0-9]) [0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),  # Telegram
    # Addresses
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
    # Headers
    ("cookie", rf"(?i) (?<!-) \b cookie {_COLON} ([^\s=;\"']{{1,80}}+ = [^\n\"']++)"),
    # Programs, protocols and files
    ("curl", r"""\b curl \b [^\n]{0,300}? [ ] (?:-u|--user) [ =]? ["']? [^\s:"']{1,80}+ : ([^\s"']++)"""),
    ("login", r"\b (?: az | docker | podman | helm\ registry | cf | oc ) \ login \b [^\n]{0,100}? [ ] -p [ ]? (\S++)"),
    ("login", r"(?i) \b login [ \t]{1,8} [^\s|]{1,80}+ \s{1,8} password [ \t]{1,8} ([^\s|]\S*+)"),  # .netrc
    ("login", r"""\b [a-zA-Z]?\d{1,5} [ ] LOGIN [ ] \S{1,80}+ [ ] "? ([^\s"]++)"""),  # IMAP
    ("auth ", r"\b AUTH [ ] (?: PLAIN | LOGIN | XOAUTH2 ) [ ] ([A-Za-z0-9+/]{12,}+=*+)"),  # SMTP
    (  # SMTP, asked step by step
        "334 ugfzc3",
        r"""\b 334\ UGFzc3[^\s\\]*+ \S{0,6} \s{1,2} [^\n]{0,80}? (?<! [\w+/] ) ([A-Za-z0-9+/]{4,}+=*+)
            (?= \\ | ["'] | \s* $ )""",
    ),
    (
        "auth",  # Redis on the wire
        rf"""(?<![A-Z]) AUTH {_BREAK} (?: \$[0-9]{{1,3}} {_BREAK} \w{{1,40}}? {_BREAK} )?? \$[0-9]{{1,3}} {_BREAK}
            ([^\s\\]{{4,64}}?) (?= \s | \\ | [.]{{2}} )""",
    ),
    (
        "identified",
        r"(?i) \b identified (?: \ with \ \S{1,40} )? \ (?: by | as ) (?: \ password )? [ ]{1,8} ' ([^'\n]++) '",
    ),
    ("identified", r"(?i) \b (?: user | to ) \ \S{1,80}+ \ identified \ by \ \"? ([^\s\"';]++)"),
    (  # .pgpass
        ":",
        r"^ [\w.*-]{1,80}+ : (?: [0-9]{1,5} | \* ) : [\w*-]{1,60} : [\w*.@-]{1,60} : ((?: [^\s:\\] | \\\S ){6,}+) $",
    ),
    (  # ipsec.secrets
        ": ",
        r"""^ [^\n:\#]{0,80} : \ (?: PSK | XAUTH | EAP | NTLM | RSA | ECDSA ) [ ]{1,8} (?: [^\s"]{1,80}+ [ ] )?
            " ([^"\n]++) \"""",
    ),
    # Of a user: in /etc/passwd, of Redis, of a mailbox of Asterisk
    (":", r"^ [\w.-]{1,40} : ([^:\s*!]{4,}) : [0-9]{1,10} : [0-9]{1,10} : [^:\n]{0,80} : /"),
    ("user ", r"\b user \ \S{1,80}+ \ (?: on | off ) \b [^\n>\#]{0,200}? [ ] [>\#] (\S{3,}+)"),
    ("auth", r"""(?i) "auth" (?: [ ] "[^"\n]{1,80}+" )?? [ ] "([^"\n]{1,200}+)" (?= [ ] "setname" | \s* $ )"""),
    (
        "pass ",
        r"""\b USER [ ] \S{1,80}+ (?: [^\n]{0,300}+ \n ){1,6}? [^\n]{0,300}? \b PASS [ ] ([^\s\\"']++)""",
    ),
    ("pass ", r"(?<![\w-]) PASS [ ] ((?= \S* [0-9] ) [^\s/\\\"']{6,}?) (?= [.]{0,2} [\"']? \s* $ )"),
    (" => ", r"^ [0-9]{2,8} [ ] => [ ] ([0-9]{3,10}) , (?! [\s0-9] )"),
    ("%3d", r"(?i) (?: secret | passw\w{0,4} | pwd | token | api_?key ) %3D ([\w.~+/-]{4,}+)"),  # in a URL in a URL
    # Messages
    *(
        (word, rf"(?<![\w-]) {_WORD_OF_PHRASE} (?: [ ,]{{1,2}} {_WORD_OF_PHRASE} ){{11,23}}+ (?![\w-])")
        for word in ("phrase", "seed", "mnemonic", "wallet")
    ),
    (
        "your ",
        r"""(?i) (?<![\w.-]) ((?: [A-Z]- )? [0-9]{3,4} [ -]? [0-9]{2,4}) \ (?: is | as ) \ your [^\n.]{0,60}?
            \b (?: code | pin | otp | passcode | password ) \b""",
    ),
    (
        "code",
        rf"""(?i) \b code \ (?: for | of | to | van | voor | de | der | für ) \ [^\n.:0-9]{{0,30}}? {_DOORS}
            [^\n.0-9]{{0,20}}? [ ] ([0-9]{{4,8}} [#*]?) (?! \w | [.-]\w )
            | \b {_DOORS} \b [^\n.:0-9]{{0,40}}? \b code:? [ ] ([0-9]{{4,8}} [#*]?) (?! \w | [.-]\w )""",
    ),
    (
        "code",
        r"""(?i) \b (?: enter | use | type ) \ (?: (?: the | this | your ) \ (?: [\w-]{1,20} \ ){0,2} )? code:? [ ]
            ([0-9]{3,4} [ -]? [0-9]{2,4} | (?-i: [A-Z0-9]{4} -? [A-Z0-9]{4,5} )) \b""",
    ),
    (  # a short message that asks to keep it
        "code",
        r"""(?i) \b code:? [ ] ([0-9]{3,4} [ -]? [0-9]{0,4}) (?! [\w.-] \w )
            (?= [^\n]{0,100}? \b (?: shar | deel | teil | valid | geldig | gültig | expir | partag | compart ) )""",
    ),
    (
        "de v",
        r"""(?i) \b c[oó]d(?:e|igo|ice) \ (?: de | d[ei] ) \ [vs][ée][rc]\w{0,20} [^\n.0-9]{1,40}? ([0-9]{4,8}) \b""",
    ),
    (
        "code to",
        r"""\b code\ to\ (?: sign | log | verify | confirm | continue | reset | complete ) \b
            [^\n:]{0,40}+ : [ ] ((?= [\w-]{0,12} [0-9] ) \w[\w-]{3,12}+)""",
    ),
)
# The same, and what the secret must be beside.
_JUDGED: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("ls0tls1crudjti", r"(?<![A-Za-z0-9+/]) (LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+=*+)", _is_key_in_base64),
    # What begins with a word for a secret: `acme_pat_...`
    (
        "",
        r"""(?<![\w./-]) (?: (?!pk|pub) [a-z0-9]{2,12} [_-] ){0,2}
            (?: pat | sk | rk | secret | live | prv | priv | token | cred ) [_-]
            (?: [a-z0-9]{1,10} [_-] ){0,2} ([A-Za-z0-9]{20,}+) (?! [\w.-] )""",
        is_random,
    ),
    ("kty", rf"(?<![\w-]) (?: d | k | [pq] | d[pq] | qi ) {_COLON} ([\w-]{{16,}}+)", is_random),  # JSON Web Keys
    # Addresses, and links that let in who has them
    ("://", r"(?<= ://) ([A-Za-z0-9_-]{20,}+) @ (?! \S{0,40} ingest )", is_mixed),
    ("://", r"""(?<=://) [^\s/:@"<>\[]*+ : (?! pass (?:wo?r?d)? @ ) ([^\s/"<>]+) @""", _is_no_constant),
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
    # Headers
    ("authorization", rf"(?i) authorization {_COLON} {_SCHEMES} [ \t]{{1,8}} ([^\s\"'\\]++)", _is_no_constant),
    (
        "authorization",
        rf"""(?i) \b authorization {_COLON} (?! bearer|basic ) (?: [a-z][\w-]{{2,20}}+ [ ] )?
            ([\w.~+/=:-]{{16,}}+) (?! [ ] )""",
        is_mixed,
    ),
    ("set-cookie", rf"(?i) \b set-cookie {_COLON} [^\s=;\"']{{1,80}}+ = ([^\s;\"']{{8,}}+)", _is_cookie),
    (
        "true\t",
        r"^ \S{3,80}+ \t (?:TRUE|FALSE) \t /\S*+ \t (?:TRUE|FALSE) \t [0-9]{1,12} \t \S{1,80}+ \t (\S{8,}+)",
        _is_cookie,
    ),
    ("digest", r"""(?i) \b digest \b [^\n]{0,400}? \b response=["']? ([0-9a-f]{32,64}) \b""", bool),
    ("signature=", r"(?i) \b signature= ([0-9a-f]{64}) \b", bool),  # of a request to AWS
    ("bearer", r"(?i) \b bearer [ \t]{1,8} ([A-Za-z0-9._~+/-]{3,}+=*+)", _is_bearer),
    ("basic", r"(?i) \b basic (?= [ \t]{1,8} ([A-Za-z0-9+/]{4,}+={0,2}) )", _is_user_and_password),
    # Programs, protocols and files
    *(
        (
            program.lower(),
            rf"""(?<![\w.-]) {program} [a-z]{{0,10}} \b (?! [:=] ) [^\n|;&]{{0,300}}?
                (?: [ ] (?: a[0-9]{{1,2}}= )? | , [ ]? ) ["']? {option} ["']? ([^\s"']++)""",
            is_quoted_secret,
        )
        for option, programs in _PROGRAMS.items()
        for program in programs.split()
    ),
    (
        "",
        rf"""["'] (?: [\w.-]{{1,40}} : )? ([^"'\n]++) ["'] [ ]? \| [^\n|]{{0,80}}?
            {_READERS} \b | {_READERS} \b [^\n|]{{0,80}}? <<< [ ]? ["'] (?: [\w.-]{{1,40}} : )? ([^"'\n]++) ["']""",
        is_quoted_secret,
    ),
    (
        " -p ",
        r"""(?i) [ ] (?: -[un] | --user(?:name)? ) [ =]? (?! [0-9] ) [^\s"]{1,80}+ [^\n|;&]{0,80}? [ ] -p [ ] ["']?
            ([^\s"':/]{5,}+) (?! [:/] )""",
        is_chosen,
    ),
    ("auth ", r"^ [^\s>]{0,80} > [ ] AUTH [ ] (?: \S{1,60} [ ] )? (\S++) $", is_quoted_secret),  # Redis
    (  # chap-secrets
        "*",
        r"""^ \S{1,80}+ [ \t]{1,40} \* [ \t]{1,40} ["']? ([^\s"'*]{4,}+) ["']? (?: [ \t]{1,40} \* )? $""",
        is_mixed,
    ),
    ("://", r"^ https?://\S{1,200}+ [ \t]{1,8} [\w.@-]{1,80}+ [ \t]{1,8} ([^\s/]{6,}+) $", is_mixed),  # davfs2
    ("jwt.", r"""\b jwt [.] \w{4,10} \( [^\n]{1,120}? , \s{0,8} ["'] ([^"'\n]{6,}+) ["'] \s{0,4} [,)]""", is_mixed),
    (
        "p",
        r"""(?i) (?<! \w ) (?: u: | (?: user(?:name)? | login | account ) [ :] ) [ ]? \S{1,60}+ [ ,;/|]{1,3}
            (?: p: | pass [ :] ) [ ]? ([^\s,;]{5,}+)""",
        is_mixed,
    ),
    # Network devices
    ("", r"^ [0-9]{1,5} \s{1,8} (?: MD5 | SHA-?[0-9]{1,3} | AES\w{0,9} ) \s{1,8} (\S{8,}+)", is_mixed),
    ("key", r"(?<![\w-]) key \ ([^\s\"':=]{8,40}+) (?! [^\s\"'] )", is_chosen),
    ("key", r"^ [ \t]+ key \ (?: [0-9]\  )? ([^\s\"':=]{8,40}+) $", is_mixed),
    ("authentication", r"(?<![\w-]) authentication \ ([^\s\"':=]{6,40}+) $", is_mixed),
    ('"', r"""\b (?: MD5 | SHA (?: -?[0-9]{1,3} )? | DES | AES ) \ " ([^\s"]{8,80}+) \"""", is_mixed),
    ('" "', r"""^ "[\w.@-]{1,60}+" [ ] "([^"\n]{6,}+)" $""", is_mixed),  # of PgBouncer
    # A user and a password
    ("valid cred", r"(?i) (?<![\w.@-]) [\w.@-]{1,40}+ : (\S{3,80}+) [ ] - [ ] valid\ credential", is_quoted_secret),
    (":", r"^ [ \t]* (?: \[.\] \ )? [\w.@-]{1,40}+ : ([^\s:\"']{8,40}+) $", is_chosen),
    (":", r"(?:^|[ ]) [0-9a-f]{32,128} : ([^\s:/]{6,40}) $", is_mixed),  # the hash of a password, and what it was
    (  # postfix
        ":",
        r"""^ (?: \[ [\w.-]{1,80}+ \] (?: :[0-9]{1,5} )? | [\w.-]{1,80}+ (?: :[0-9]{1,5} | (?= \s{1,8} \S{1,60}+ @ ) ) )
            [ \t]{1,8} [\w.+@-]{1,120}+ :
            (\S{4,}+ (?: [ ][a-z]{4} ){0,3}+) $""",
        is_quoted_secret,
    ),
    (
        "@",
        r"""(?<! [\w.+@:-] ) (?<! [^/]/ ) (?<! :// )
            (?! (?: mailto | sips? | acct | xmpp | im | tel | from | to | b?cc | cid | urn | s?ftps? | ssh | scp
                  | rsync | smb | git | svn ) : )
            [\w.+-]{1,40}+ : ([^\s:@/"']{4,80}+) @ [\w-]{1,60}+ [.:] \w""",
        is_mixed,
    ),
    (
        " / ",
        rf"""(?i) \b (?: wi-?fi | wlan | ssid | {_USERS} ) \b [^\n/]{{0,60}}? [ ]? / [ ]
            (?= \S* [^\w\s/.:] | (?-i: \S* [A-Z] \S* [.] ) ) ([^\s,;/]{{8,}}+)""",
        is_mixed,
    ),
    (
        ":",
        rf"""(?i) (?<![a-z0-9/]) {_USERS} (?: [.][\w.]{{1,40}} )? [ =:>→-]{{1,4}} [\"']?
            (?! [0-9]+: ) [\w.@-]{{1,40}}+ : ((?: [^\s:\"'@,;] | @ (?! [\w-]{{1,40}}+ [.:/] ) ){{6,}}+)""",
        is_mixed,
    ),
    (
        "(",
        rf"""(?i) (?: connect\w* | login | auth | credentials? (?: [:.]{{0,2}} new )? | sequelize | pdo | mysqli
              | __construct | create_?\w{{0,10}}user | client )
            [ =]{{0,3}} \( \s{{0,8}} (?: {_QUOTED} ){{1,3}} ["'] ([^"'\n/]{{6,80}}+) ["'] \s{{0,4}} [,)]""",
        is_mixed,
    ),
)
_COMPILED = (
    ("", TOKEN, bool),
    *(
        (needle, re.compile(form, re.VERBOSE | re.MULTILINE), is_secret)
        for needle, form, is_secret in (*((*row, bool) for row in _FORMS), *_JUDGED)
    ),
)


def secrets_by_form(text: str) -> TextSpans:
    """Where a text holds what has the form of a secret.

    >>> text = "https://me:hunter2@example.org"
    >>> [text[start:end] for start, end in secrets_by_form(text)]
    ['hunter2']
    """
    small = text.lower()
    for needle, pattern, is_secret in _COMPILED:
        for match in pattern.finditer(text) if needle in small else ():
            group = match.lastindex or 0
            word = match[group].rstrip("`.,;:)>]}'\"")
            is_harmless = (
                any(map(stands_elsewhere, (word, match[group])))
                or is_noun_of_secret(word)
                or is_placeholder(text, match.start(group))
            )
            if not is_harmless and is_secret(word):
                yield match.span(group)
