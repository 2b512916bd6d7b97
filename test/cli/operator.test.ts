import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { main } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Output } from '../../kernel/cli/src/output.ts'

const ADMIN = 'an-admin-token-of-the-tests'

describe('the CLI of an operator and of a tenant', () => {
  let gateway: TestGateway
  let home: string
  before(async () => {
    gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env: { ADMIN_API_TOKEN: ADMIN } })
    home = await mkdtemp(join(tmpdir(), 'gateway-home-'))
  })
  after(async () => {
    await gateway.stop()
    await rm(home, { recursive: true })
  })

  async function run(argv: readonly string[], env: Record<string, string> = {}) {
    let stdout = ''
    let stderr = ''
    const output = new Output({ stdout: (part) => void (stdout += part), stderr: (part) => void (stderr += part), colour: false })
    const code = await main({
      plugins: async () => standardPlugins,
      argv,
      env: { HOME: home, GATEWAY_URL: gateway.url, ...env },
      cwd: home,
      output,
    })
    return { code, stdout, stderr, json: () => JSON.parse(stdout) }
  }
  const operator = (...argv: string[]) => run(argv, { ADMIN_API_TOKEN: ADMIN })

  it('creates a tenant and shows its key once; lists, suspends, reactivates it, rotates its key', async () => {
    const created = await operator('tenant', 'create', 'Acme Ltd', '--plan', 'team', '--id', 'acme')
    assert.equal(created.code, 0, created.stderr)
    const key = /^gw_live_\w+$/m.exec(created.stdout)?.[0] ?? ''
    assert.equal((await run(['login', '--key', key])).code, 0)
    assert.match((await operator('tenant', 'list')).stdout, /^acme +Acme Ltd +team +active/m)
    assert.equal((await operator('tenant', 'suspend', 'acme', '--reason', 'unpaid')).code, 0)
    const refused = await run(['whoami'])
    assert.deepEqual([refused.code, refused.stderr], [2, 'gateway: Tenant acme is suspended. (TENANT_SUSPENDED)\n'])
    assert.equal((await operator('tenant', 'reactivate', 'acme')).code, 0)
    assert.equal((await run(['whoami', '--json'])).json().tenantId, 'acme')
    const rotated = await operator('tenant', 'rotate-key', 'acme', '--grace', '0', '--json')
    assert.match(rotated.json().apiKey, /^gw_live_/)
    assert.equal((await run(['whoami'])).code, 2, 'the key before it is no longer valid')
    assert.match((await operator('rotate-keys', 'tenant', 'acme', '--environment', 'test')).stdout, /^gw_test_\w+$/m)
  })

  it('key create, list and revoke: of the own tenant, and with --tenant of any for the operator', async () => {
    const { apiKey: owner } = (await operator('tenant', 'create', 'Delta', '--id', 'delta', '--json')).json()
    const own = (...argv: string[]) => run(['key', ...argv], { GATEWAY_API_KEY: owner })
    const created = await own('create', '--label', 'crawler', '--role', 'viewer', '--expires', '2026-03-01T00:00:00Z')
    assert.equal(created.code, 0, created.stderr)
    const key = /^gw_live_\w+$/m.exec(created.stdout)?.[0] ?? ''
    assert.match((await own('list')).stdout, /crawler +viewer +live +2026-\S+ +never +2026-03-01T00:00:00.000Z$/m)
    assert.deepEqual((await operator('key', 'list', '--tenant', 'delta', '--json')).json(), (await own('list', '--json')).json())
    const keyId = key.split('_')[2] as string
    assert.match((await own('revoke', keyId)).stdout, /\(crawler\) is void/)
    assert.equal((await run(['whoami'], { GATEWAY_API_KEY: key })).code, 2)
    const { keyId: second } = (await operator('key', 'create', '--tenant', 'delta', '--json')).json()
    assert.equal((await operator('key', 'revoke', second, '--tenant', 'delta')).code, 0)
    for (const argv of [['explode'], ['revoke'], ['list', 'x']]) assert.equal((await own(...argv)).code, 64)
  })

  it('keeps a key with mode 0600, per service, only after it was tried; --forget removes it', async () => {
    const path = join(home, '.config', 'gateway', 'credentials.json')
    const { apiKey } = (await operator('tenant', 'create', 'Beta', '--id', 'beta', '--json')).json()
    assert.equal((await run(['login', '--key', 'gw_live_wrong'])).code, 2)
    assert.equal((await run(['login', '--key', apiKey])).code, 0)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { [gateway.url]: { apiKey } })
    assert.equal((await run(['login', '--forget'])).code, 0)
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), {})
  })

  it('whoami shows tenant, plan, role and quota', async () => {
    const { stdout } = await run(['whoami'])
    for (const line of [/^tenant +local$/m, /^plan +\w+$/m, /^role +operator$/m, /^quota +repos 0\/any/m]) assert.match(stdout, line)
  })

  it('names the missing operator’s token, a wrong action, a wrong number', async () => {
    assert.match((await run(['tenant', 'list'])).stderr, /ADMIN_API_TOKEN/)
    assert.equal((await operator('tenant', 'explode')).code, 64)
    assert.equal((await operator('tenant', 'suspend')).code, 64)
    assert.equal((await operator('tenant', 'rotate-key', 'acme', '--grace', 'soon')).code, 64)
    assert.deepEqual(await operator('tenant', 'suspend', 'nobody').then(({ code }) => code), 2)
  })

  it('rbac shadow shows who would have been refused what', async () => {
    const { apiKey } = (await operator('tenant', 'create', 'Gamma', '--id', 'gamma', '--json')).json()
    const viewer = await fetch(`${gateway.url}/api/tenants/gamma/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-admin-token': ADMIN },
      body: JSON.stringify({ role: 'viewer' }),
    })
    const { apiKey: key } = (await viewer.json()) as { apiKey: string }
    assert.notEqual(key, apiKey)
    assert.equal((await run(['call', 'tasks_create', '{"repo":"r","title":"t"}'], { GATEWAY_API_KEY: key })).code, 0)
    assert.match((await run(['rbac', 'shadow'])).stdout, /^1 +gamma +key:\w+ +viewer +tasks_create +work \(member\)/m)
    assert.equal((await run(['rbac', 'shadow'], { GATEWAY_API_KEY: key })).code, 2, 'for the operator only')
  })

  for (const [client, file, member] of [
    ['claude-code', '.mcp.json', 'mcpServers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
    ['gemini', '.gemini/settings.json', 'mcpServers'],
  ] as const) {
    it(`connect ${client} writes one entry, keeps the rest, and --undo puts the file back`, async () => {
      const path = join(home, file)
      assert.equal((await run(['connect', client])).code, 0)
      assert.deepEqual(Object.values(JSON.parse(await readFile(path, 'utf8'))[member].gateway).includes(`${gateway.url}/mcp`), true)
      assert.equal((await run(['connect', client, '--undo'])).code, 0)
      await assert.rejects(stat(path), { code: 'ENOENT' })

      const mine = `{"theme":"dark","${member}":{"other":{"url":"x"}}}`
      await writeFile(path, mine)
      await run(['connect', client])
      assert.deepEqual(Object.keys(JSON.parse(await readFile(path, 'utf8'))[member]), ['other', 'gateway'])
      await run(['connect', client, '--undo'])
      assert.equal(await readFile(path, 'utf8'), mine)

      await run(['connect', client])
      const changed = { ...JSON.parse(await readFile(path, 'utf8')), theme: 'light' }
      await writeFile(path, JSON.stringify(changed))
      await run(['connect', client, '--undo'])
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { theme: 'light', [member]: { other: { url: 'x' } } })

      await writeFile(path, '{ // a comment\n}')
      const refused = await run(['connect', client])
      assert.deepEqual([refused.code, await readFile(path, 'utf8')], [1, '{ // a comment\n}'])
      await rm(path)
    })
  }

  it('connect to a service elsewhere names a variable and never the key', async () => {
    const { stdout } = await run(['connect', 'claude-code', '--json'], {
      GATEWAY_URL: 'https://gateway.example',
      GATEWAY_API_KEY: 'gw_live_secret',
    })
    assert.deepEqual(JSON.parse(stdout).entry, {
      type: 'http',
      url: 'https://gateway.example/mcp',
      headers: { 'x-api-key': '${GATEWAY_API_KEY}' },
    })
  })

  it('connect says so when a view names a family that is not here', async () => {
    const { code, stderr } = await run(['connect', 'cursor', '--json', '--view', 'taks,mailbox', '--name', 'elsewhere'])
    assert.deepEqual([code, stderr], [0, 'gateway: there is no family taks here; the service must have it. Did you mean `tasks`?\n'])
  })

  it('connect --view names the endpoint of the view; --stdio the program that bridges to it', async () => {
    const http = await run(['connect', 'cursor', '--json', '--view', 'core'])
    assert.deepEqual(JSON.parse(http.stdout).entry, { url: `${gateway.url}/mcp/core` })
    const url = 'https://gateway.example'
    const stdio = await run(['connect', 'vscode', '--json', '--stdio', '--view', 'tasks,mailbox', '--url', url])
    assert.deepEqual(JSON.parse(stdio.stdout).entry, {
      type: 'stdio',
      command: process.execPath,
      args: [process.argv[1], 'mcp', '--url', url, '--view', 'tasks,mailbox'],
    })
    assert.equal((await run(['connect', 'vscode', '--stdio', '--view', 'tasks,mailbox', '--url', url, '--undo'])).code, 0)
    await assert.rejects(stat(join(home, '.vscode/mcp.json')), { code: 'ENOENT' })
  })

  it('new-app says which setting keeps an idea from being handed on', async () => {
    const { code, stderr } = await run(['new-app', 'a shop for socks'])
    assert.deepEqual([code, /was not handed on: .*NEW_APP_PIPELINE_URL/.test(stderr)], [2, true], stderr)
  })

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`completion ${shell} names every command`, async () => {
      const { stdout } = await run(['completion', shell])
      for (const name of ['start', 'tenant', 'rotate-keys', 'completion']) assert.ok(stdout.includes(name))
    })
  }
})
