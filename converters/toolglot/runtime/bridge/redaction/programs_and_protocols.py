"""Secrets that are found by the words of a program, a protocol, a header or a file.

Rows as in `secret_forms`, which looks for them.
"""

from __future__ import annotations

from collections.abc import Callable

from toolglot.runtime.bridge.redaction.secret_or_prose import (
    decode_base64,
    is_chosen,
    is_generated,
    is_mixed,
    is_no_constant,
    is_quoted_secret,
    is_random,
)


def _is_user_and_password(word: str) -> bool:
    return b":" in decode_base64(word)


def _is_bearer(word: str) -> bool:
    return is_mixed(word) or (len(word) >= 16 and is_no_constant(word))


def _is_cookie(word: str) -> bool:
    return is_generated(word) and sum(map(str.isalpha, word)) > 3  # not what counts visitors


_QUOTE = r"""\\?["']?"""
_COLON = (
    rf"(?: {_QUOTE} , \s{{0,40}} {_QUOTE} value )? {_QUOTE} [ \t]{{0,16}} [:=] [ \t]{{0,16}} (?: \[ [ ]? )? {_QUOTE}"
)
_SCHEMES = "(?: bearer | basic | token | negotiate | apikey | aws4-hmac-sha256 | ssws | key | genie-?key )"
_READERS = r"""(?: \b chpasswd | keystore\ add | --with-token | \b sudo\ -S | --password-stdin | \b passwd\ --stdin
    | \b cryptsetup | \b kinit )"""
_BREAK = r"(?: \s | \\[rn] | [.]{2} ){1,4}"

# What stands before a password and its quote, and the programs that take one so: all whose names begin so.
_PROGRAMS = {
    "-p [ ]": "mongo cqlsh useradd usermod crackmapexec evil-winrm doveadm beeline hdbsql dotnet psexec ncftp "
    "bmcdiscover mkhwconn racadm ilorest ipmipower",
    "-n [ ]": "bmcdiscover",
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

FORMS_BESIDE_WORDS = (
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
)
# The same, and what the secret must be beside.
JUDGED_BESIDE_WORDS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("kty", rf"(?<![\w-]) (?: d | k | [pq] | d[pq] | qi ) {_COLON} ([\w-]{{16,}}+)", is_random),  # JSON Web Keys
    # Headers
    ("authorization", rf"(?i) authorization {_COLON} {_SCHEMES} [ \t]{{1,8}} ([^\s\"'\\]++)", is_no_constant),
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
        "|",
        rf"""["'] (?: [\w.-]{{1,40}} : )? ([^"'\n]++) ["'] [ ]? \| [^\n|]{{0,80}}? {_READERS} \b""",
        is_quoted_secret,
    ),
    (
        "<<<",
        rf"""{_READERS} \b [^\n|]{{0,80}}? <<< [ ]? ["'] (?: [\w.-]{{1,40}} : )? ([^"'\n]++) ["']""",
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
)
