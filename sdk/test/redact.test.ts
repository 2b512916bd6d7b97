import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isSecretName, REDACTED, redact, redactStart, redactStartInTurns, redactText, storableAttributes } from '@gateway/sdk/redact'
import fc from 'fast-check'

const alphabet = (characters: string, min: number, max = min) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max })
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const base62 = LOWER + UPPER + DIGITS
const base64url = `${base62}-_`

/** The secret, and a text that contains it. */
type Shown = readonly [secret: string, text: string]
const alone = (secret: fc.Arbitrary<string>): fc.Arbitrary<Shown> => secret.map((one) => [one, one])
const prefixed = (prefixes: readonly string[], rest: fc.Arbitrary<string>) =>
  alone(fc.tuple(fc.constantFrom(...prefixes), rest).map((parts) => parts.join('')))
/** Excludes words by chance. */
const opaque = alphabet(base62, 12, 40).filter((one) => /\d/.test(one) && /[A-Z]/.test(one.slice(1)))
const password = alphabet(`${base62}!$%*+.?^~/`, 6, 24).filter((one) => !/^(?:null|true|false|none)$/i.test(one))
const jwtPart = (min: number) => alphabet(base64url, min, 60)
const secrets: Readonly<Record<string, fc.Arbitrary<Shown>>> = {
  'a key of this gateway': prefixed(
    ['gw_live_', 'gw_test_'],
    fc.tuple(alphabet(base62, 12), alphabet(base62, 38)).map((parts) => parts.join('_')),
  ),
  'a secret of a tenant’s own tool': prefixed(['pts_'], alphabet(base64url, 43)),
  'a key with an issuer’s prefix': prefixed(
    ['ghp_', 'gho_', 'github_pat_', 'glpat-', 'npm_', 'hf_', 'sk_live_', 'rk_test_', 'xoxb-', 'AIza', 'ya29.', 'SG.', 'shpat_', 'whsec_'],
    alphabet(base62, 36),
  ),
  'an access key id': prefixed(['AKIA', 'ASIA'], alphabet(UPPER + DIGITS, 16)),
  'a key of a model provider': alone(opaque.map((one) => `sk-ant-api03-${one}${one}`)),
  'a bearer token': opaque.map((one) => [one, `curl -H 'Bearer ${one}' https://example.com/`]),
  'an authorization header': opaque.map((one) => [one, `Authorization: Basic ${one}\r\nAccept: */*`]),
  'a cookie': opaque.map((one) => [one, `Cookie: theme=dark; sid=${one}; lang=en`]),
  'a cookie that is set': opaque.map((one) => [one, `set-cookie: sid=${one}; Path=/; HttpOnly`]),
  'a JSON Web Token': alone(fc.tuple(jwtPart(10), jwtPart(10), jwtPart(20)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`)),
  'a password in a connection string': password
    .filter((one) => !/^[\d/]/.test(one))
    .map((one) => [one, `postgres://app:${one}@db.internal:5432/prod`]),
  'a password among settings': password.map((one) => [one, `Server=db;User Id=app;Password=${one};Encrypt=true`]),
  'a password in JSON': password.map((one) => [one, JSON.stringify({ user: 'ada', dbPassword: one })]),
  'a password in JSON in JSON': password.map((one) => [one, JSON.stringify(JSON.stringify({ client_secret: one }))]),
  'a password in the environment': password.map((one) => [one, `export DB_PASSWORD='${one}'`]),
  'a short name of a password in the environment': password.map((one) => [one, `DB_PASS=${one} SMTP_PASS='${one}' ./start`]),
  'a password after a blank': opaque.map((one) => [one, `PASSWD ${one}`]),
  'a password of a statement': password.map((one) => [
    one,
    `ALTER USER ada WITH PASSWORD '${one}'; create user eve identified by "${one}"`,
  ]),
  'a password behind its flag': password.map((one) => [one, `mysqldump -h db -u root -p${one} shop > shop.sql`]),
  'a password after a flag': password.map((one) => [one, `sshpass -p ${one} ssh ada@db; redis-cli -h db -a '${one}' ping`]),
  'a password in XML': password.map((one) => [one, `<db><dbPassword>${one}</dbPassword></db>`]),
  'a password in an encoded query': opaque.map((one) => [one, `next=${encodeURIComponent(`?user=ada&password=${one}&page=2`)}`]),
  'a flag': password.map((one) => [one, `login --api-key ${one} --verbose`]),
  'a private key': alphabet(`${base62}+/\n`, 100, 300).map((one) => [
    one,
    `-----BEGIN RSA PRIVATE KEY-----\n${one}\n-----END RSA PRIVATE KEY-----`,
  ]),
  'a private key that is cut off': alphabet(base62, 30, 60).map((one) => [one, `-----BEGIN PRIVATE KEY-----\n${one}`]),
}

const prose = fc.constantFrom('', 'the call failed: ', 'retrying\n', 'at 10:42 GMT, user=ada ', '{"a":1} ', '[1] (x) ')
for (const [kind, arbitrary] of Object.entries(secrets)) {
  test(`${kind} never comes out`, () => {
    fc.assert(
      fc.property(arbitrary, prose, prose, ([secret, text], before, after) => {
        const shown = redactText(`${before}${text}\n${after}`)
        assert.ok(!shown.includes(secret), shown)
        assert.ok(shown.includes(REDACTED))
        assert.equal(redactText(shown), shown)
        if (!kind.endsWith('cut off')) assert.ok(shown.startsWith(before) && shown.endsWith(`\n${after}`), shown)
      }),
      { numRuns: 200 },
    )
  })
}

/** Characters of a generator as even as those that make keys. */
function drawn(seed: number, length: number): string {
  const bytes = createHash('sha512').update(String(seed)).digest()
  return Array.from(bytes.subarray(0, length), (byte) => base62[byte % 62]).join('')
}

for (const { length, share } of [
  { length: 40, share: 0.998 },
  { length: 32, share: 0.99 },
  { length: 24, share: 0.98 },
])
  test(`of texts of ${length} characters drawn at random, ${share * 100} % never come out`, () => {
    const COUNT = 10_000
    let hidden = 0
    for (let seed = 0; seed < COUNT; seed++) if (redactText(`(${drawn(seed, length)})`) === `(${REDACTED})`) hidden++
    assert.ok(hidden >= share * COUNT, `${hidden} of ${COUNT}`)
  })

test('a key is seen whole wherever in a text it begins and ends', () => {
  const key = `a${'9Zk2'.repeat(8)}`
  for (let length = 0; length <= 60; length++) {
    const before = 'so it goes. '.repeat(6).slice(0, length)
    for (const [from, to] of [
      [' (', ')'],
      ['\n', ''],
    ] as const)
      assert.equal(redactText(before + from + key + to), before + from + REDACTED + to)
  }
})

test('what is no secret stays as it is', () => {
  const kept = [
    'The token budget of 4096 was used up; max_tokens=4096, inputTokens: 12, token_count=7.',
    'bearer authentication is required; basic authentication is off.',
    'task-01jd3x7k9w2m4n6p8q0r1s2t',
    'mail-01jd3x7k9w2m4n6p8q0r1s2t and run-01JD3X7K9W2M4N6P8Q0R1S2T',
    '3f2b1c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'sha512-vn2Ykz7JwkTcjFxq3LpO9aRbUZ0tYhK5mGdW1eQf8sXiC6uBnVoDpS4gMrA2lHz==',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479 F47AC10B-58CC-4372-A567-0E02B2C3D479',
    '/home/Ada/Projects2024/MyGateway/src/HttpServerTest2.ts:42:17',
    'C:\\Users\\Ada\\AppData\\Local\\Temp\\build.log',
    'https://example.com:8443/Org/Repo/commit/3f2b1c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b?tab=files#L10',
    'https://registry.example.com/@scope/package/-/package-1.2.3.tgz',
    'ssh://git@example.com/org/repo.git git@example.com:org/repo.git',
    'TypeError: Cannot read properties of undefined (reading "sessionId") at MyComponentTest2HelperFactory.create',
    '{"status":"ok","password":null,"passwordSet":true,"tokenType":""}',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    '2026-01-05T09:00:00.000Z INFO ratio 0.84, p99 12ms, 10,829 calls/s',
    'the passwd file is read first; passwd entries, a password policy and a passphrase hint are no secrets',
    'a password sha256 is made of, the password base64-encoded, password v2.1, passwd /etc/shadow2, "password rotation"',
    'PASSWD FILE\nPASSWORD REQUIRED\nPASS src/pass2.test.ts\nfirst_pass: 12, pass=30, bypass: yes, compass=north, proxy_pass: http://up2',
    'mysql -p shop; mysql -u root -P 3306; psql -p 5432 -a; mkdir -p /srv/mysql; ssh -p 2222 mysql; docker run -p 80:80 redis',
    'sk-learn-is-a-library-of-many-words and task-runner-for-everyone',
    'Österreich, 日本語, emoji 😀: alles bleibt.',
  ]
  for (const text of kept) assert.equal(redactText(text), text)
})

test('around a secret the text stays readable', () => {
  const cases = [
    ['mongodb+srv://app:hunter2@db.example.com/prod?w=1', 'mongodb+srv://app:[redacted]@db.example.com/prod?w=1'],
    ['a password=hunter2, then more', 'a password=[redacted], then more'],
    ['while the token > 5 and a->token > b', 'while the token > 5 and a->token > b'],
    ['{"apiKey": "abc", "n": 1}', '{"apiKey": "[redacted]", "n": 1}'],
    ["curl -H 'Authorization: Bearer abc' https://x.example/", "curl -H 'Authorization: [redacted]' https://x.example/"],
    ['X-Api-Key: abc', 'X-Api-Key: [redacted]'],
    ['PASSWD x', 'PASSWD [redacted]'],
    ['passwd: x', 'passwd: [redacted]'],
    ['USER ada\r\nPASSWD hunter\r\nLIST', 'USER ada\r\nPASSWD [redacted]\r\nLIST'],
    ['the password hunter2! leaked', 'the password [redacted] leaked'],
    ['mysql -pSECRET', 'mysql -p[redacted]'],
    ["$ mysql -uroot -p'SE CRET' shop", "$ mysql -uroot -p'[redacted]' shop"],
    ['docker login -u ada -p hunter', 'docker login -u ada -p [redacted]'],
    ['mongosh -u ada -p hunter; mongodump -p hunter', 'mongosh -u ada -p [redacted]; mongodump -p [redacted]'],
  ] as const
  for (const [text, expected] of cases) assert.equal(redactText(text), expected)
})

test('a member whose name says so is hidden at any depth, whatever it holds', () => {
  const given = {
    request: { headers: { Cookie: 'a=b', 'X-Trace': 'ok' }, retries: [{ clientSecret: { nested: 'x' } }, { pin_token: 12 }] },
    accessToken: ['a', 'b'],
    tokens: 12,
    password: null,
    note: 'ghp_0123456789abcdefghij0123456789abcdef',
    gw_live_0123456789AB_0123456789abcdef0123456789abcdef012345: 1,
  }
  const before = structuredClone(given)
  assert.deepEqual(redact(given), {
    request: { headers: { Cookie: REDACTED, 'X-Trace': 'ok' }, retries: [{ clientSecret: REDACTED }, { pin_token: REDACTED }] },
    accessToken: REDACTED,
    tokens: 12,
    password: null,
    note: REDACTED,
    [REDACTED]: 1,
  })
  assert.deepEqual(given, before)
})

test('numbers named like a token are kept, numbers named like a PIN are hidden', () => {
  const kept = {
    firstTokenMs: 812,
    timeToFirstToken: 0.25,
    'gen_ai.first_token': 3,
    nested: [{ tokenRate: -1.5e3 }],
    secretsFound: 0,
    tokenSet: true,
    pinned: 3,
    spinCount: 7,
    pin: true,
    pinCount: 2,
    note: 'pin 4711 of the roadmap',
  }
  assert.deepEqual(redact(kept), kept)
  const hidden = { pin: 4711, cardPin: '4711', cvv: 123, cvv2: 123, CVC: '123', otp: 123456, pin_token: 12, dbPassword: 123456, token: 'x' }
  assert.deepEqual(new Set(Object.values(redact(hidden))), new Set([REDACTED]))
})

test('numbers of a JSON text are kept, digits in quotes or without a quoted name are hidden', () => {
  for (const text of ['{"timeToFirstToken":812,"tokenRate":-0.5}', '{"token": 1e3}', 'firstTokenMs=812 token_seconds: 3'])
    assert.equal(redactText(text), text)
  const cases = [
    ['{"token":"812345"}', '{"token":"[redacted]"}'],
    ['{"dbPassword":812345}', '{"dbPassword":[redacted]}'],
    ['{"token":812345x}', '{"token":[redacted]}'],
    ['token=812345', 'token=[redacted]'],
  ] as const
  for (const [text, expected] of cases) assert.equal(redactText(text), expected)
})

test('names of secrets are known in every spelling, names about them are none', () => {
  for (const name of [
    'password',
    'DB_PASSWORD',
    'dbpassword',
    'x-api-key',
    'apiKey',
    'client.secret',
    'Set-Cookie',
    'aws_secret_access_key',
    'password2',
    'DB_PASS',
    'mysqlPass',
    'DBPASS',
    'smtp-pw',
  ])
    assert.ok(isSecretName(name), name)
  for (const name of [
    'tokens',
    'maxTokens',
    'token_count',
    'passwordPolicy',
    'key',
    'keyId',
    'author',
    'secretary',
    'tokenizer',
    'cookieCount',
    'pass',
    'test_pass',
    'bypass',
    'firstPass',
    'proxy_pass',
    'userPassCount',
  ])
    assert.ok(!isSecretName(name), name)
})

test('any JSON value is redacted without an error, and a second time changes nothing', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'password',
      ':',
      '=',
      '"',
      "'",
      '\\',
      ' ',
      'token',
      'Bearer ',
      '://',
      '@',
      'eyJ',
      '.',
      '-----BEGIN PRIVATE KEY-----',
      '\n',
      'cookie',
      '--',
      REDACTED,
      'a1B',
      '/',
      ';',
    ),
  )
  const text = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (one) => assert.equal(redactText(redactText(one)), redactText(one))),
    { numRuns: 3_000 },
  )
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = redact(value)
      assert.deepEqual(redact(once), once)
    }),
    { numRuns: 300 },
  )
  let deep: unknown = 'x'
  for (let i = 0; i < 10_000; i++) deep = [deep]
  redact(deep)
  const circular: Record<string, unknown> = {}
  circular.self = circular
  redact(circular)
})

test('the time grows with the text, not with its square, also where nothing ever ends', () => {
  const seeds = [
    'eyJ',
    'eyJ.',
    'password',
    'password:',
    'password="',
    '://a:',
    '://a:b/',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY',
    'aB3',
    'a',
    '--a',
    '--token ',
    'mysql ',
    ' -p',
    'mysql -p ',
    ' -pa',
    'sshpass -p',
    'password ',
    'PASSWD a ',
    "PASSWD '",
    'Bearer ',
    'ghp_',
    'sk-',
    'sk-a',
    '\\"',
    '= ',
    '::::',
    '<password>',
    'token%3D',
    'Cookie: ',
    'A',
    '.-',
    '@',
    ' ',
  ]
  const least = (text: string): number => {
    const runs = Array.from({ length: 3 }, () => {
      const began = performance.now()
      redactText(text)
      return performance.now() - began
    })
    return Math.min(...runs)
  }
  for (const seed of seeds) {
    const text = (length: number): string => seed.repeat(Math.ceil(length / seed.length))
    // Linear growth gives ten, quadratic growth a hundred. Quadratic code shows it every time; a machine that pauses does not.
    const ratio = (): number => least(text(200_000)) / least(text(20_000))
    assert.ok(
      Array.from({ length: 5 }).some(() => ratio() < 50),
      `${JSON.stringify(seed)} takes ${ratio()} times as long`,
    )
  }
})

test('a sentence that goes on behind a colon keeps its words, and a password there does not', () => {
  for (const text of [
    'Each tenant has its secrets: those of others stay hidden.',
    'A text without its secrets: in its texts, in the names.',
    'Asked for the token: the session ends with it.',
    'Never for credentials: what they open is unknown.',
  ])
    assert.equal(redactText(text), text)
  const cases = [
    ['password: those', 'password: [redacted]'],
    ['password: the1', 'password: [redacted]'],
    ['password: "those of" x', 'password: "[redacted]" x'],
    ['password:those of', 'password:[redacted] of'],
    ['password=those of', 'password=[redacted] of'],
    ['"password": those of', '"password": [redacted] of'],
    ['secret: swordfish is it', 'secret: [redacted] is it'],
    ['token: a1B2c3d4 of', 'token: [redacted] of'],
  ] as const
  for (const [text, expected] of cases) assert.equal(redactText(text), expected)
})

test('a long text is redacted between turns of others, and comes out as at once', async () => {
  const text = `${'Some prose with a link https://example.com/a and path=/b/c?d=e.\n'.repeat(2_000)}\npassword: swordfish\n${'more words '.repeat(2_000)}`
  let turns = 0
  let done = false
  const count = (): void => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  const redacted = await redactStartInTurns(text, 1_000_000)
  done = true
  assert.equal(redacted, redactStart(text, 1_000_000))
  assert.match(redacted, /password: \[redacted\]/)
  assert.ok(turns >= 7, `${turns} turns`)
  assert.equal(await redactStartInTurns('token=abcdef', 100), 'token=[redacted]')
})

test('attributes far longer than what is kept are told as cut off, and are not searched', () => {
  const large = { text: 'token=abcdef '.repeat(40_000) }
  assert.deepEqual(storableAttributes(large, 1_000), { truncated: true, characters: JSON.stringify(large).length })
  assert.deepEqual(storableAttributes({ apiKey: 'abc', text: 'x' }, 1_000), { apiKey: REDACTED, text: 'x' })
})
