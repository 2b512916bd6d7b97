import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { runCommand } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const ADMIN = 'an-admin-token-of-the-tests'
const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')

describe('which service a command calls, and what it says of the connection', () => {
  let gateway: TestGateway
  let home: string
  let apiKey: string
  before(async () => {
    gateway = await startTestGateway({
      plugins: standardPlugins,
      listen: true,
      env: { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOOPBACK_TRUST: '0', GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789' },
    })
    home = await mkdtemp(join(tmpdir(), 'gateway-home-'))
    const operator = { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789', GATEWAY_URL: gateway.url }
    ;({ apiKey } = (await run(['tenant', 'create', 'Acme', '--id', 'acme', '--json'], operator)).json())
  })
  after(async () => {
    await gateway.stop()
    await rm(home, { recursive: true })
  })

  /** The data folder has no gateway, so the local default leads nowhere. */
  const environment = (env: Record<string, string>) => ({ HOME: home, GATEWAY_PORT: '9', ...env })
  const run = (argv: readonly string[], env: Record<string, string> = {}) =>
    runCommand({ plugins: async () => standardPlugins, argv, env: environment(env), cwd: home })
  async function child(argv: readonly string[], env: Record<string, string> = {}) {
    const command = spawn(process.execPath, [program, ...argv], {
      cwd: home,
      env: { PATH: process.env.PATH, ...environment(env) },
    })
    const [stdout, stderr, [code]] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'exit')])
    return { code, stdout, stderr }
  }
  const written = () =>
    stat(join(home, '.mcp.json')).then(
      () => true,
      () => false,
    )

  it('login remembers its service: whoami, connect and all other commands call it from then on, until --forget', async () => {
    const login = await child(['login', '--key', apiKey, '--url', `${gateway.url}/`])
    assert.equal(login.code, 0, login.stderr)
    assert.match(login.stdout, /All commands call this service from now on/)

    const whoami = await child(['whoami'])
    assert.equal(whoami.code, 0, whoami.stderr)
    assert.match(whoami.stdout, new RegExp(`^service +${gateway.url}\\ntenant +Acme \\(acme\\)`))
    const connected = await child(['connect', 'claude-code', '--view', 'core'])
    assert.equal(connected.code, 0, connected.stderr)
    const { gateway: entry } = JSON.parse(await readFile(join(home, '.mcp.json'), 'utf8')).mcpServers
    assert.equal(entry.url, `${gateway.url}/mcp/core`)

    for (const argv of [['status'], ['dashboard'], ['tools', 'tasks'], ['call', 'tasks_list'], ['key', 'list'], ['rbac', 'shadow']]) {
      const { code, stderr } = await run(argv)
      assert.deepEqual([argv[0], code, stderr.startsWith('gateway: No gateway')], [argv[0], code, false])
    }
    const listed = await run(['tenant', 'list'], { ADMIN_API_TOKEN: ADMIN, GATEWAY_LOCAL_TOKEN: 'a-local-token-of-some-length-0123456789' })
    assert.match(listed.stdout, /acme/)

    const elsewhere = await run(['whoami'], { GATEWAY_URL: 'http://127.0.0.1:9' })
    assert.deepEqual([elsewhere.code, /127\.0\.0\.1:9/.test(elsewhere.stderr)], [3, true], 'GATEWAY_URL comes first')
    assert.equal((await run(['login', '--forget'])).code, 0)
    assert.match((await run(['whoami'])).stderr, /^gateway: No gateway answers at http:\/\/127\.0\.0\.1:9/)
  })

  it('a remembered service on another machine never gets the tokens of the operator', async () => {
    const folder = join(home, '.config', 'gateway', 'service.json')
    await writeFile(folder, JSON.stringify({ url: 'http://gateway.invalid' }))
    for (const argv of [
      ['tenant', 'list'],
      ['new-app', 'an idea'],
    ]) {
      const { code, stderr } = await run(argv, { ADMIN_API_TOKEN: ADMIN })
      assert.deepEqual(
        [code, stderr.startsWith('gateway: The operator’s tokens are not sent to http://gateway.invalid')],
        [64, true],
        stderr,
      )
    }
    await rm(folder)
  })

  it('connect claims nothing that it did not reach: the part that failed is named, and the exit code is not 0', async () => {
    const other = createServer((_request, response) => response.end('{"name":"another"}')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    for (const [url, env, code, part] of [
      ['http://127.0.0.1:9', {}, 3, 'address'],
      ['http://gateway.invalid', {}, 3, 'address'],
      [elsewhere, {}, 1, 'service'],
      [gateway.url, {}, 2, 'credential'],
      [gateway.url, { GATEWAY_API_KEY: 'gw_live_wrong' }, 2, 'credential'],
    ] as const) {
      const connected = await run(['connect', 'claude-code', '--url', url], env)
      assert.deepEqual([url, connected.code], [url, code])
      assert.match(connected.stderr, new RegExp(`the connection test failed at the ${part}: `))
      assert.doesNotMatch(connected.stdout, /finds the gateway/)
    }
    other.close()
  })

  it('connect says what it tested, and names the variable of the key where the service wants one', async () => {
    await rm(join(home, '.mcp.json'))
    await rm(join(home, '.mcp.json.before-gateway'))
    const { code, stdout } = await run(['connect', 'claude-code', '--url', gateway.url], { GATEWAY_API_KEY: apiKey })
    assert.equal(code, 0)
    assert.match(stdout, /Tested: http:\S+ lists \d+ tools over \d{4}-\d\d-\d\d\.\n/)
    assert.match(stdout, /It needs the variable GATEWAY_API_KEY/)
    const file = await readFile(join(home, '.mcp.json'), 'utf8')
    assert.match(file, /"x-api-key": "\$\{GATEWAY_API_KEY\}"/)
    assert.equal((await run(['connect', 'claude-code', '--undo'])).code, 0)
    assert.equal(await written(), false)
  })

  it('connect --view with an unknown view writes nothing and names the families there are, also without a service', async () => {
    for (const url of [gateway.url, 'http://127.0.0.1:9']) {
      const { code, stderr } = await run(['connect', 'claude-code', '--view', 'mailbx', '--url', url], { GATEWAY_API_KEY: apiKey })
      assert.equal(code, 64)
      assert.match(
        stderr,
        /^gateway: --view must be core, or families .*; got "mailbx", .* Did you mean `mailbox`\? Families: .*\btasks\b.*\bmailbox\b/,
      )
      assert.equal(await written(), false)
    }
  })
})
