import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import oauth from '@gateway/plugin-oauth'
import outgoing from '@gateway/plugin-outgoing'
import signIn from '@gateway/plugin-sign-in'
import tenants from '@gateway/plugin-tenants'
import { startTestGateway } from '@gateway/testing'
import { freePort } from '../support/ports.ts'

test('gateway login without a key: a person approves the code, all commands use the tokens and renew them, and --forget ends them', async () => {
  const port = await freePort()
  const env = { GATEWAY_PORT: String(port), GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`, GATEWAY_LOOPBACK_TRUST: '0' }
  await using gateway = await startTestGateway({ plugins: [tenants, outgoing, signIn, oauth], listen: true, env })
  await gateway.tenants.create({ name: 'acme', plan: 'team', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'admin', environment: 'live' })
  const home = await mkdtemp(join(tmpdir(), 'gateway-login-'))
  const credentials = join(home, '.config', 'gateway', 'credentials.json')
  const saved = async () => JSON.parse(await readFile(credentials, 'utf8'))[gateway.url]?.token
  const run = (...argv: string[]) => runCommand({ plugins: async () => [tenants], argv, env: { HOME: home }, cwd: home })
  try {
    const login = run('login', '--url', gateway.url, '--scope', 'read work')
    const waiting = await untilWaiting()
    await approve(waiting)
    const done = await login
    assert.equal(done.code, 0, done.stderr)
    assert.match(done.stdout, new RegExp(`enter the code ${waiting}[^]*Logged in at .* to acme as member; the tokens are kept in`))
    assert.equal((await stat(credentials)).mode & 0o777, 0o600)
    const whoami = await run('whoami', '--json')
    assert.deepEqual([whoami.code, whoami.json().role, whoami.json().tenantId], [0, 'member', 'acme'], whoami.stderr)

    // The command line has the machine's clock: its token counts as ended, so that the next commands renew it, once.
    const first = await saved()
    await writeToken({ ...first, expiresAt: 0 })
    const both = await Promise.all([run('whoami', '--json'), run('whoami', '--json')])
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
      both.map(({ stderr }) => stderr).join(),
    )
    const second = await saved()
    assert.notEqual(second.accessToken, first.accessToken)
    assert.ok(second.expiresAt > Date.now())

    assert.equal((await run('login', '--forget')).code, 0)
    assert.equal(await saved(), undefined)
    const refused = await fetch(`${gateway.url}/api/auth/whoami`, { headers: { authorization: `Bearer ${second.accessToken}` } })
    assert.equal(refused.status, 401, 'the login has ended at the service, too')

    await writeToken({ ...second, expiresAt: 0 })
    const ended = await run('whoami', '--url', gateway.url)
    assert.deepEqual([ended.code, /The login at .* has ended\. Run `gateway login/.test(ended.stderr)], [2, true], ended.stderr)
  } finally {
    await rm(home, { recursive: true, force: true })
  }

  async function writeToken(token: object): Promise<void> {
    await writeFile(credentials, JSON.stringify({ [gateway.url]: { token } }))
  }

  /** The code of the terminal that waits, once there is one. Devices belong to no tenant. */
  async function untilWaiting(): Promise<string> {
    for (;;) {
      const [device] = (await gateway.documents('_gateway'))['oauth.devices'] ?? []
      if (device) return (device as { userCode: string }).userCode
      await new Promise((done) => setImmediate(done))
    }
  }

  async function approve(userCode: string): Promise<void> {
    const begun = await fetch(`${gateway.url}/api/sign-in`, { method: 'POST', headers: { 'x-api-key': apiKey } })
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] as string
    const response = await fetch(`${gateway.url}/api/oauth/consents`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ userCode, scopes: ['read', 'work'] }),
    })
    const { approval } = (await response.json()) as { approval: string }
    assert.equal((await fetch(`${gateway.url}/oauth/device`, { method: 'POST', body: new URLSearchParams({ approval }) })).status, 200)
  }
})
