import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCommand } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

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

  const run = (argv: readonly string[], env: Record<string, string> = {}) =>
    runCommand({ plugins: async () => standardPlugins, argv, env: { HOME: home, GATEWAY_URL: gateway.url, ...env }, cwd: home })
  const operator = (...argv: string[]) => run(argv, { ADMIN_API_TOKEN: ADMIN })

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

  for (const [client, file, member, entryOf] of [
    ['claude-code', '.mcp.json', 'mcpServers', (url: string) => ({ type: 'http', url })],
    ['cursor', '.cursor/mcp.json', 'mcpServers', (url: string) => ({ url })],
    ['vscode', '.vscode/mcp.json', 'servers', (url: string) => ({ type: 'http', url })],
    ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers', (serverUrl: string) => ({ serverUrl })],
    ['gemini', '.gemini/settings.json', 'mcpServers', (httpUrl: string) => ({ httpUrl })],
  ] as const) {
    it(`connect ${client} writes one entry, keeps the rest, and --undo puts the file back`, async () => {
      const path = join(home, file)
      assert.equal((await run(['connect', client])).code, 0)
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { [member]: { gateway: entryOf(`${gateway.url}/mcp`) } })
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

  it('the address of the dashboard signs nobody in where nobody has to', async () => {
    const { apiKey } = (await operator('tenant', 'create', 'Eta', '--id', 'eta', '--json')).json()
    assert.equal((await run(['dashboard'], { GATEWAY_API_KEY: apiKey })).stdout, `${gateway.url}/\n`)
  })

  it('connect to a service elsewhere names a variable and never the key', async () => {
    const { stdout } = await run(['connect', 'claude-code', '--json'], {
      GATEWAY_URL: 'https://gateway.invalid',
      GATEWAY_API_KEY: 'gw_live_secret',
    })
    assert.deepEqual(JSON.parse(stdout).entry, {
      type: 'http',
      url: 'https://gateway.invalid/mcp',
      headers: { 'x-api-key': '${GATEWAY_API_KEY}' },
    })
  })

  it('login and connect say that a service on another machine is not encrypted, before the key is sent', async () => {
    const clear = /^gateway: http:\/\/gateway\.invalid:8080 is not encrypted: /
    const connected = await run(['connect', 'cursor', '--json', '--name', 'clear'], { GATEWAY_URL: 'http://gateway.invalid:8080' })
    assert.match(connected.stderr, clear)
    // No server listens there: only the output before the connection matters.
    assert.match(
      (await run(['login', '--key', 'gw_live_x', '--url', 'http://127.0.0.1.nip.invalid:8080'])).stderr,
      /^gateway: .* is not encrypted: /,
    )
    for (const url of ['https://gateway.invalid', gateway.url])
      assert.doesNotMatch((await run(['connect', 'cursor', '--json', '--name', 'clear'], { GATEWAY_URL: url })).stderr, /encrypted/)
  })

  it('connect --view names the endpoint of the view; --stdio the program that bridges to it', async () => {
    const http = await run(['connect', 'cursor', '--json', '--view', 'core'])
    assert.deepEqual(JSON.parse(http.stdout).entry, { url: `${gateway.url}/mcp/core` })
    const url = 'https://gateway.invalid'
    const stdio = await run(['connect', 'vscode', '--json', '--stdio', '--view', 'tasks,mailbox', '--url', url])
    assert.deepEqual(JSON.parse(stdio.stdout).entry, {
      type: 'stdio',
      command: process.execPath,
      args: [process.argv[1], 'mcp', '--url', url, '--view', 'tasks,mailbox'],
    })
    assert.equal((await run(['connect', 'vscode', '--stdio', '--view', 'tasks,mailbox', '--url', url, '--undo'])).code, 0)
    await assert.rejects(stat(join(home, '.vscode/mcp.json')), { code: 'ENOENT' })
  })
})
