import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { type InjectResponse, startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { SignJWT } from 'jose'

/** Sends every kind of credential, right and wrong, over every transport; then searches everything the gateway left behind. */

const SESSION_SECRET = 'session-secret-3f9c51e07ab24d6688'
const WRONG_SECRET = 'session-secret-of-somebody-else-77'
const OLD_LOCAL = 'local-token-before-9d27c1'
const LOCAL = 'local-token-now-51fe08'
const ADMIN = 'admin-token-c40b9e'
const clock = testClock()

/** Secrets by name, which must be found nowhere: the secret part of a key (its id is public), the signature of a session. */
const secrets = new Map<string, string>([
  ['the session secret', SESSION_SECRET],
  ['the local token before', OLD_LOCAL],
  ['the local token', LOCAL],
  ['the admin token', ADMIN],
])
const knownKey = (name: string, apiKey: string): string => remember(name, apiKey, apiKey.split('_')[3]?.slice(0, 32))
const remember = (name: string, credential: string, secret = credential): string => {
  secrets.set(name, secret)
  return credential
}

async function session(name: string, { secret = SESSION_SECRET, seconds = 3_600, tenantId = 'acme' } = {}): Promise<string> {
  const token = await new SignJWT({ sub: 'ann', tenantId, role: 'owner' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(new Date(clock.now() + seconds * 1000))
    .sign(new TextEncoder().encode(secret))
  return remember(name, token, token.split('.')[2])
}

type Request = Parameters<TestGateway['inject']>[0]
const rpc = (method: string, params: object): Request => ({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method, params } })
const requests: readonly Request[] = [
  rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
  rpc('tools/list', {}),
  rpc('tools/call', { name: 'tasks_create', arguments: { repo: 'web', title: 'Try' } }),
  rpc('tools/call', { name: 'tasks_create', arguments: {} }),
  rpc('no/such', {}),
  { method: 'POST', url: '/mcp', body: '{broken', headers: { 'content-type': 'application/json' } },
  { method: 'GET', url: '/mcp' },
  { method: 'POST', url: '/api/tools/tasks_create', body: { repo: 'web', title: 'Try' } },
  { method: 'POST', url: '/api/tools/tenant_suspend', body: { targetTenantId: 'nobody' } },
  { method: 'POST', url: '/api/tools/no_such', body: {} },
  { method: 'POST', url: '/api/tools/tasks_create', body: '{broken', headers: { 'content-type': 'application/json' } },
  { method: 'GET', url: '/api/tools' },
  { method: 'GET', url: '/api/tasks' },
  { method: 'GET', url: '/api/auth/whoami' },
  { method: 'GET', url: '/api/rbac/shadow' },
  { method: 'GET', url: '/api/tenants' },
  { method: 'GET', url: '/nowhere' },
  { method: 'GET', url: '/status' },
  { method: 'GET', url: '/health/deep' },
  { method: 'GET', url: '/api/openapi.json' },
]

/** Every place in which a caller might put a credential. */
const placements = (credential: string): { headers?: Record<string, string>; query?: string }[] => [
  { headers: { 'x-api-key': credential } },
  { headers: { authorization: `Bearer ${credential}` } },
  { headers: { authorization: `Basic ${credential}` } },
  { headers: { 'x-gateway-local-token': credential } },
  { headers: { 'x-admin-token': credential, 'x-gateway-local-token': credential } },
  { headers: { cookie: `svc_token=${credential}` } },
  { query: new URLSearchParams({ api_key: credential, token: credential, access_token: credential, svc_token: credential }).toString() },
]

describe('secrets', () => {
  let dataDir: string
  let gateway: TestGateway
  const answers: InjectResponse[] = []
  const logs: unknown[] = []

  const start = (localToken: string): Promise<TestGateway> =>
    startTestGateway({
      plugins: standardPlugins,
      clock,
      dataDir,
      env: {
        GATEWAY_LOCAL_TOKEN: localToken,
        GATEWAY_JWT_SECRET: SESSION_SECRET,
        ADMIN_API_TOKEN: ADMIN,
        GATEWAY_FAILED_LOGIN_LIMIT: '1000000',
      },
    })

  /** Sends a request of the operator; its answer may show a key, once. */
  const admin = async (url: string, body: object): Promise<{ apiKey: string }> => {
    const response = await gateway.inject({ method: 'POST', url: `/api/tenants${url}`, headers: { 'x-admin-token': ADMIN }, body })
    assert.ok(response.status < 300, response.body)
    return response.json()
  }

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-secrets-'))
    gateway = await start(OLD_LOCAL)
    await gateway.inject({ method: 'GET', url: '/api/tools', headers: { authorization: `Bearer ${OLD_LOCAL}` } })
    await gateway.stop()
    logs.push(...gateway.logs)
    gateway = await start(LOCAL)

    const key = knownKey('a key in its grace window', (await admin('', { name: 'Acme', tenantId: 'acme' })).apiKey)
    const ended = knownKey('a key that was rotated away', (await admin('/acme/keys', { role: 'member' })).apiKey)
    const current = knownKey('a current key', (await admin('/acme/rotate-key', { role: 'member', graceMinutes: 0 })).apiKey)
    knownKey('the next key', (await admin('/acme/rotate-key', { role: 'owner', graceMinutes: 10 })).apiKey)
    const blocked = knownKey('a key of a suspended tenant', (await admin('', { name: 'Beta', tenantId: 'beta' })).apiKey)
    await admin('/beta/suspend', { reason: 'unpaid' })
    const credentials = [
      key,
      ended,
      current,
      blocked,
      OLD_LOCAL,
      LOCAL,
      ADMIN,
      remember('a mistyped key', `${current.slice(0, -1)}${current.endsWith('0') ? '1' : '0'}`, current.slice(21, 53)),
      remember('a wrong token', 'some-wrong-token-6d1f'),
      await session('a session'),
      await session('an expired session', { seconds: -1 }),
      await session('a session of another signer', { secret: WRONG_SECRET }),
      await session('a session of a suspended tenant', { tenantId: 'beta' }),
    ]
    for (const credential of credentials) {
      for (const { headers = {}, query } of placements(credential)) {
        for (const request of requests) {
          const url = query === undefined ? request.url : `${request.url}?${query}`
          answers.push(await gateway.inject({ ...request, url, headers: { ...request.headers, ...headers } }))
        }
      }
    }
  })
  after(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const hashKey = async (): Promise<string> => (await readFile(join(dataDir, 'keys', 'hash.key'), 'utf8')).trim()

  /** Returns the names of the secrets that some bytes hold, plain or in base64. */
  function found(bytes: Buffer | string, all: Iterable<[string, string]>): string[] {
    const content = Buffer.from(bytes)
    return [...all]
      .filter(([, secret]) => [secret, Buffer.from(secret).toString('base64').slice(0, -4)].some((text) => content.includes(text)))
      .map(([name]) => name)
  }

  async function filesWithSecrets(): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const holding: string[] = []
    for (const path of paths) {
      const name = relative(dataDir, path)
      const sought = name === join('keys', 'hash.key') ? secrets : [...secrets, ['the hash key', await hashKey()] as [string, string]]
      for (const secret of found(await readFile(path), sought)) holding.push(`${name} holds ${secret}`)
    }
    return holding
  }

  it('the run met right and wrong credentials on every transport', () => {
    const codes = new Set(answers.map((answer) => answer.status))
    for (const status of [200, 400, 401, 403, 404]) assert.ok(codes.has(status), String(status))
    assert.ok(gateway.logs.some(({ event }) => event === 'auth.refused'))
  })

  it('no file of a running gateway holds one: store, write-ahead log, audit trail', async () => {
    const names = (await readdir(dataDir, { recursive: true })).join('\n')
    for (const kind of [/-wal$/m, /audit.*\.jsonl$/m, /hash\.key$/m]) assert.match(names, kind)
    assert.deepEqual(await filesWithSecrets(), [])
  })

  it('the search finds a secret where there is one', async () => {
    assert.deepEqual(found(`x${LOCAL}x`, secrets), ['the local token'])
    assert.deepEqual(found(Buffer.from(ADMIN).toString('base64'), secrets), ['the admin token'])
  })

  it('the folder of keys is its owner’s alone, and holds the hash key and the id of the store alone', async () => {
    assert.deepEqual(await readdir(join(dataDir, 'keys')), ['hash.key', 'store.id'])
    assert.equal((await stat(join(dataDir, 'keys'))).mode & 0o777, 0o700)
    assert.equal((await stat(join(dataDir, 'keys', 'hash.key'))).mode & 0o777, 0o600)
  })

  it('no line of the log holds one, at level debug', async () => {
    const lines = JSON.stringify([...logs, ...gateway.logs])
    assert.deepEqual(found(lines, [...secrets, ['the hash key', await hashKey()]]), [])
  })

  it('no answer holds one, in its headers or its body', async () => {
    const all = [...secrets, ['the hash key', await hashKey()]] as [string, string][]
    for (const { status, headers, body } of answers)
      assert.deepEqual(found(JSON.stringify(headers) + body, all), [], `${status} ${body.slice(0, 300)}`)
  })

  it('no file holds one after a stop and a start', async () => {
    await gateway.restart()
    assert.deepEqual(await filesWithSecrets(), [])
  })
})

const noProc = existsSync('/proc/self/cmdline') ? false : 'the listing of processes is read from /proc, which this system does not have'

it('a started service shows no secret in the list of processes, nor in what it prints', { skip: noProc }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-listing-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')
  const env = {
    GATEWAY_LOCAL_TOKEN: LOCAL,
    GATEWAY_JWT_SECRET: SESSION_SECRET,
    ADMIN_API_TOKEN: ADMIN,
    GATEWAY_LOG_LEVEL: 'debug',
    GATEWAY_PORT: '0',
    GATEWAY_DATA_DIR: dataDir,
  }
  const child = spawn(process.execPath, [program, 'start', '--json'], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...env },
  })
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()))
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => assert.fail(printed))])) as [
    string,
  ]
  const { url } = JSON.parse(line) as { url: string }
  for (const token of [LOCAL, 'a-wrong-one']) await fetch(`${url}/api/tools`, { headers: { authorization: `Bearer ${token}` } })

  const children = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  for (const pid of [String(child.pid), ...children]) {
    const listing = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    for (const secret of [LOCAL, SESSION_SECRET, ADMIN]) assert.ok(!listing.includes(secret), listing)
  }
  child.kill('SIGTERM')
  await ended
  for (const secret of [LOCAL, SESSION_SECRET, ADMIN, 'a-wrong-one']) assert.ok(!printed.includes(secret), printed)
})
