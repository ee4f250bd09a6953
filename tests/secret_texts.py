"""Texts with secrets in them, and texts without: what the result filter is measured by.

In a text of SECRETS, `«` and `»` stand around what has to go; nothing else may change. `{a36}` is filled with 36
characters that look as if a program had made them (`a` letters and digits, `h` hexadecimal, `u` upper case and digits,
`b` base64, `d` digits), `{basic}` with the base64 of a user and a password, `{pem}` with that of a private key. So no
text in this file looks like a secret to the scanners of those who copy it, and none was ever issued.
"""

from __future__ import annotations

import base64
import hashlib
import re

from toolglot.bridge.redaction.free_text import REDACTED
from toolglot.bridge.redaction.json_text import redact

_ALPHABETS = {
    "a": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "d": "123456789",
    "h": "0123456789abcdef",
    "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
}
_FILLED = {
    "{basic}": base64.b64encode(b"bob:hunter2").decode(),
    "{pem}": base64.b64encode(b"-----BEGIN RSA PRIVATE KEY-----\nhunter2\n").decode(),
    "{certificate}": base64.b64encode(b"-----BEGIN CERTIFICATE-----\nMIIBszCCARw\n").decode(),
}
_MADE = re.compile(r"\{([abdhu])(\d+)\}")


def bare(text: str) -> str:
    """A text of the tables as a tool would return it."""
    return _filled(text).replace("«", "").replace("»", "")


def is_found(text: str) -> bool:
    """Whether what is marked in a text goes, and nothing else."""
    return redact(bare(text)) == re.sub("«[^»]*»", REDACTED, _filled(text))


def is_left(text: str) -> bool:
    """Whether a text stays as it is."""
    return redact(bare(text)) == bare(text)


def _filled(text: str) -> str:
    for name, value in _FILLED.items():
        text = text.replace(name, value)
    return _MADE.sub(lambda found: _made(_ALPHABETS[found[1]], int(found[2])), text)


def _made(alphabet: str, length: int) -> str:
    digest = hashlib.shake_256(alphabet.encode()).digest(length)
    return "".join(alphabet[byte % len(alphabet)] for byte in digest)


SECRETS = (
    # tokens that say by their beginning who issued them
    "remote: «ghp_{a36}» was used",
    "x-access-token:«ghs_{a36}»",
    "«github_pat_{a22}_{a59}»",
    "«glpat-{a20}»",
    "registration: «glrt-{a20}»",
    "docker login with «gldt-{a20}»",
    "AWS_ACCESS_KEY_ID=«AKIA{u16}»",
    "«ABSK{a132}»",
    "https://maps.example/js?key=«AIza{a35}»",
    "«GOCSPX-{a28}»",
    "«ya29.{a60}»",
    "«xoxb-{d12}-{d12}-{a24}»",
    "post to https://hooks.slack.com/services/«T{u8}/B{u10}/{a24}»",
    "https://acme.webhook.office.com/webhookb2/«{h8}-{h4}@{h8}/IncomingWebhook/{h32}/{h8}»",
    "https://discord.com/api/webhooks/{d18}/«{a68}»",
    "«sk_live_{a24}»",
    "«whsec_{a32}»",
    "«sk-proj-{a48}»",
    "«sk-ant-api03-{a93}»",
    "login as «hf_{a34}»",
    "«gsk_{a52}»",
    "«xai-{a80}»",
    "«r8_{a37}»",
    "«pplx-{a48}»",
    "«npm_{a36}»",
    "«pypi-AgEIcHlwaS5vcmc{a80}»",
    "«rubygems_{h48}»",
    "«dckr_pat_{a27}»",
    "«dop_v1_{h64}»",
    "«dapi{h32}»",
    "«shpat_{h32}»",
    "«SG.{a22}.{a43}»",
    "«hvs.{a90}»",
    "«{a14}.atlasv1.{a64}»",
    "«glsa_{a32}_{h8}»",
    "«lin_api_{a40}»",
    "«ntn_{a46}»",
    "«figd_{a40}»",
    "«PMAK-{h24}-{h34}»",
    "«NRAK-{u27}»",
    "«sntrys_{a80}»",
    "«dp.pt.{a43}»",
    "«sbp_{h40}»",
    "«ATATT3xFfGF0{a80}»",
    "https://api.telegram.org/bot«{d10}:AA{a33}»/getMe",
    "«AGE-SECRET-KEY-1{u58}»",
    "«ops_eyJ{a120}»",
    "value: «{a3}8Q~{a34}»",
    # keys of storage, and links that are signed
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net",
    "Endpoint=sb://a.example/;SharedAccessKeyName=root;SharedAccessKey=«{b43}=»",
    "https://a.blob.core.windows.net/c/f?sv=2022-11-02&sp=r&sig=«{a43}%3D»&se=2026-01-01",
    "https://b.s3.amazonaws.com/k?X-Amz-Expires=3600&X-Amz-Signature=«{h64}»&x-id=GetObject",
    "https://storage.googleapis.com/b/k?X-Goog-Expires=900&X-Goog-Signature=«{h128}»",
    "aws_secret_access_key = «{b40}»",
    "Ocp-Apim-Subscription-Key: «{h32}»",
    # registries and machines
    "//registry.example/:_auth=«{basic}»\nalways-auth=true",
    "//registry.example/:_authToken=«{h36}»",
    '_password="«aHVudGVyMg==»"\nemail=bob@example.org',
    '{"auths": {"https://index.docker.io/v1/": {"auth": "«{basic}»"}}, "credsStore": ""}',
    "machine api.example login bob password «correcthorse»",
    "https://bob:«hunter2»@git.example.org",
    "index-url = https://__token__:«hunter2»@pypi.example/simple",
    "curl -s -u bob:«hunter2» https://api.example/v1",
    # Kubernetes
    "    client-key-data: «{pem}»\n    username: bob",
    "users:\n- name: bob\n  user:\n    token: «{a40}»",
    "apiVersion: v1\nkind: Secret\ndata:\n  user: «Ym9i»\n  pin: «MTIzNA==»\ntype: Opaque",
    "data:\n  conf: «Ym9i»\nkind: Secret\nmetadata:\n  name: db",
    "kind: Secret\nstringData:\n  conf: «hunter2»",
    '{"data": {"conf": "«Ym9i»"}, "kind": "Secret", "metadata": {"name": "db"}}',
    "items:\n- data:\n    conf: «Ym9i»\n  kind: Secret\n- data:\n    mode: fast\n  kind: ConfigMap",
    # names beside values
    '{"name": "DB_PASSWORD", "value": "«hunter»", "type": "env"}',
    '[{"value": "«hunter»", "name": "clientSecret"}]',
    '{"Key": "ApiKey", "Value": "«abc def»"}',
    "env:\n  - name: API_TOKEN\n    value: «hunter»\n  - name: MODE\n    value: fast",
    '<add key="ApiKey" value="«hunter»"/>',
    "ParameterKey=DbPassword,ParameterValue=«hunter»",
    '{"id": "a", "label": "db password", "value": "«hunter2-correct»"}',
    '{"name": "field 1", "label": "password", "value": "«hunter2-correct»"}',
    "fields:\n  - label: password\n    value: «hunter2-correct»",
    '{"name": "Authorization", "value": "Bearer «hunter»"}',
    "<key>password</key>\n<string>«hunter»</string>",
    # settings and code
    "DB_PASSWORD=«super_secret»\nDB_HOST=db",
    "GET /login?password=«hunter»&user=bob",
    "Server=db;Uid=sa;Pwd=«hunter»;Encrypt=True",
    'connect(host="db", password="«hunter»", port=5432)',
    'API_KEY: str = "«hunter»"',
    "secret = b'«hunter»'",
    "DB_PASS=«hunter»\nSMTP_PASS='«hunter»'",
    "key1: «{a76}+ASt{a5}A==»",
    '{"Authorization": "Bearer «hunter.two»"}',
    "otpauth://totp/x?secret=«{u16}»&issuer=y",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n«-----BEGIN EC PRIVATE KEY-----\nMHcC\n"
    "-----END EC PRIVATE KEY-----»",
    "Set-Cookie: session=«{a32}»; Path=/; HttpOnly",
    # written when the rules stood, to try them
    "kubectl create secret generic db --from-literal=password=«hunter2»",
    'vault kv put secret/db password="«hunter»"',
    "mysql -u root --password=«hunter2» -h db",
    "export PGPASSWORD='«hunter»'; psql",
    'ANTHROPIC_API_KEY="«sk-ant-api03-{a80}»"',
    '{"access_token":"«{a40}»","token_type":"Bearer","expires_in":3600}',
    '{"refreshToken": "«{a40}»", "scope": "read"}',
    'client_secret: "«{a24}»"',
    "  password: «{a12}» # rotate me",
    "spring.datasource.password=«hunter2»",
    '<property name="password" value="«hunter»"/>',
    "[default]\naws_access_key_id = «AKIA{u16}»\naws_secret_access_key = «{b40}»",
    '{"SecretAccessKey": "«{b40}»", "AccessKeyId": "«ASIA{u16}»", "SessionToken": "«{b100}»"}',
    "mongodb+srv://app:«hunter2»@cluster0.example.net/db?retryWrites=true",
    "redis-cli -a hunter -u redis://default:«hunter2»@cache:6379",
    "Authorization: Basic «{basic}»",
    "Proxy-Authorization: Bearer «{a30}»",
    "X-Vault-Token: «hvs.{a24}»",
    "X-Auth-Token: «{h32}»",
    "PRIVATE-TOKEN: «glpat-{a20}»",
    "git clone https://oauth2:«glpat-{a20}»@gitlab.example/x.git",
    "--set db.password=«hunter2»",
    "heroku config: SECRET_KEY_BASE=«{h64}»",
    "DJANGO_SECRET_KEY = '«{a50}»'",
    "jwt: «eyJhbGciOi.eyJzdWIi.{a43}»",
    "const apiKey = `«{a32}»`;",
    '"passphrase" : "«open sesame»"',
    '{"env": [{"name": "OPENAI_API_KEY", "value": "«sk-{a48}»"}]}',
    '{"Environment": {"Variables": {"DB_PASSWORD": "«hunter»"}}}',
    '  - name: password\n    value: "«hunter»"',
    "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/«T00000000/B00000000/{a24}»",
    '{"headers": {"Cookie": "«sid={h32}»"}}',
    '{"headers": {"Authorization": "Basic «{basic}»"}}',
    "tls.key: «{pem}»",
    '{"dockerconfigjson": "x", "auth": "«{basic}»"}',
    "Password for bob: «hunter2»",
    "secret_key=«{a20}»&region=eu",
    "az login -p «hunter2»",
    "DATABASE_URL=postgres://u:«hunter2»@h/db",
    "sshpass -p «hunter2» ssh h",
    "Key=Password,Value=«hunter»",
    "private_key = «0x{h64}»",
    "encryption-key: «{b43}=»",
)

INNOCENTS = (
    # code
    "password: Optional[str] = None",
    "def login(user: str, password: str) -> Token:",
    "  apiKey?: string;\n  token: string | null;\n  secret: Buffer",
    "pub token: &'a str, pub password: Option<String>,",
    'type Config struct {\n\tPassword string `json:"password"`\n}',
    "private String password;\nprivate final SecretKey secretKey;",
    "api_key: SecretStr = Field(default=None)",
    "token = next(tokens)",
    "token = self.lexer.next_token()",
    "const token = await getToken(user);",
    "password = getpass.getpass()",
    'api_key = os.environ["API_KEY"]',
    'token = os.getenv("TOKEN")',
    "apiKey: process.env.API_KEY,",
    "self.token = token",
    "password = settings.db_password",
    "client = Client(api_key=api_key, secret=client_secret)",
    "connect({ user, password: dbPassword })",
    "if token == Token.COMMA:\n    pass",
    "if (token === undefined || token !== other) return;",
    "token = None; password = null; secret: nil",
    '{"require_password": true, "use_token": false}',
    "while token := tokenizer.get():",
    "token := r.Header.Get(name)",
    "const secret = new Secret();",
    "token = lambda: None",
    'eos_token = "</s>"\npad_token: "[PAD]"',
    '{"eos_token": "<|endoftext|>", "token": 50256}',
    "Unexpected token '}' at line 3",
    "prompt_tokens: 12, total_tokens=57, token: 5",
    "CREATE TABLE users (name TEXT, password TEXT NOT NULL, token VARCHAR(40))",
    "password = var.db_password\ntoken    = data.vault_secret.db.token",
    "secret = random_password.db.result",
    # what stands for a value that is elsewhere
    "export API_KEY=${API_KEY}",
    "TOKEN=${TOKEN:-}",
    "TOKEN=$(gcloud auth print-access-token)",
    'curl -H "Authorization: Bearer $TOKEN" -u "$USER:$PASSWORD" https://api.example',
    "set PASSWORD=%DB_PASSWORD%",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'password: "{{ db_password }}"',
    'f"token={token}&secret={self.secret}"',
    "--token <your-token> --password <PASSWORD>",
    "API_KEY=your-api-key-here",
    'api_key = "YOUR_API_KEY"',
    "password: ********",
    "password=...",
    '{"token": "[REDACTED]", "secret": "<redacted>"}',
    "password=op://vault/db/password",
    "password: vault:secret/data/db#password",
    "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
    "MasterUserPassword: !Ref DbPassword",
    "valueFrom:\n  secretKeyRef:\n    name: db\n    key: password",
    "Authorization: Bearer <token>",
    "postgres://<user>:<password>@localhost/db and https://{user}:{password}@h",
    '{"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}',
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db, key: password}",
    # descriptions
    '{"properties": {"password": {"type": "string", "description": "The password of the user."}}}',
    '{"token": {"type": ["string", "null"], "title": "Token", "minLength": 8}}',
    '{"required": ["user", "password"], "secret": "optional"}',
    "  --password PASSWORD  the password\n  --token TEXT         a token",
    "password: the password of the account",
    "Enter your password: ",
    "Your password must not be your name. The token: use it once.",
    "my secret santa and the secret garden",
    "Basic training, basic income",
    "the bearer of this letter",
    "first_pass: 3, test_pass = True, compass: north, pass: 12",
    "error: token expired; secret: not found; password: required",
    "Password:\n\nToken:\n",
    '{"nextPageToken": "CAUQAA", "continuation_token": "abc=="}',
    "public_key = ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA bob@example.org",
    "certificate-authority-data: {certificate}",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCARw\n-----END CERTIFICATE-----",
    # what looks made by a program and is no secret
    "commit {h40}\nsha256:{h64}",
    "id: 123e4567-e89b-12d3-a456-426614174000",
    "data:image/png;base64,{b80}",
    '"integrity": "sha512-{b86}=="',
    '<div class="sk-folding-cube-wrapper hf_header">',
    "kind: ConfigMap\ndata:\n  mode: fast\n  user: Ym9i",
    "docker run -u 1000:1000 image; useradd -u 1000:users bob",
    "https://example.org:8080/a@b?sig=1&signature=none",
    "10:23:45 token refreshed in 12ms, 3 secrets rotated",
    "tokens.py token.go secrets.yaml password_reset.html secret_key_base.rb",
    # written when the rules stood, to try them
    "password_hash = bcrypt.hashpw(pw, salt)",
    "    token: Annotated[str, Header()],",
    'String token = request.getParameter("token");',
    'let secret: String = env::var("SECRET")?;',
    "token, err := jwt.Parse(raw, keyFunc)",
    'var password = document.getElementById("password").value;',
    "secret = hashlib.sha256(data).hexdigest()",
    "assert token is not None",
    'if (!token) { throw new Error("no token"); }',
    "for token in tokens: print(token)",
    "password: { type: String, required: true },",
    "  token: z.string().min(1),",
    '"token": { "$ref": "#/definitions/Token" },',
    "resetPassword(email: string): Promise<void>",
    "@RequestParam String password",
    "token ::= identifier | number",
    "TOKEN=$1",
    "read -s PASSWORD",
    "password: ${{ inputs.password }}",
    "secretName: db-credentials",
    "imagePullSecrets:\n- name: regcred",
    'api_key = config["api_key"]',
    "api_key=settings.OPENAI_API_KEY,",
    "password=None, token=None)",
    "Set the password: see the manual.",
    "The access token is stored in ~/.config/tool/token.",
    "password must contain 8 characters",
    "tokens: [a, b, c]",
    "max_token_length: 4096",
    "sort_key: name",
    '"key": "value"',
    "primary_key = True",
    "token_type: bearer",
    "auth: none",
    "auth = HTTPBasicAuth(user, pw)",
    "Cookie policy: see below",
    "cookie: true",
    "secret: false",
    "Secret: kubernetes.io/tls",
    "  password   String   @db.VarChar(255)",
    "password? yes/no",
    "AccountKey=<key>;EndpointSuffix=core.windows.net",
    "https://user@host/path",
    "ssh://git@github.com:22/x/y.git",
    "time 10:20:30@noon",
    "token = tokens[0]",
    'password = "" if dev else None',
    "secret = os.urandom(32)",
    "self._token: str | None = None",
    "GET /reset?token=:token",
    'client_secret: <%= ENV["SECRET"] %>',
    "const { token } = useAuth();",
    "token: string = '';",
    'password := ""',
    '"password": null, "token": {}',
    '<input type="password" name="password" placeholder="Password">',
    "label: Password",
    "[REDACTED] token=[REDACTED]",
)

# Alarms that nobody has found a rule against that does not cost secrets.
FALSE_ALARMS = frozenset(
    {
        '"token": { "$ref": "#/definitions/Token" },',
        "token ::= identifier | number",
        "Secret: kubernetes.io/tls",
    }
)
