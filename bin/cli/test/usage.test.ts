import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { main } from '@gateway/cli'
import { loadSettings, settingsSchema } from '@gateway/settings'
import { VERSION } from '../../../kernel/core/src/version.ts'
import { connect } from '../src/client.ts'
import { commands, ownCommand } from '../src/commands.ts'
import { duration, Output } from '../src/output.ts'
import { rememberUrl } from '../src/remembered-service.ts'
import { announceRunning, dataFolder, runningIn } from '../src/running.ts'
import { DEFAULT_PORT, serviceAddress } from '../src/service-address.ts'
import { TomlConfig } from '../src/toml-config.ts'
import { placeholders, subcommands } from '../src/usage-words.ts'
import { gateway, temporaryFolder } from './cli-fixture.ts'

test('what the machine refuses is a sentence with what to do, without a stack', async () => {
  const output = new Output({ stdout: () => {}, stderr: (text) => void (said += text), colour: false })
  let said = ''
  const plugins = (): Promise<never> => Promise.reject(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }))
  assert.equal(await main({ plugins, argv: ['doctor'], env: {}, output }), 1)
  assert.equal(
    said,
    'gateway: EMFILE: too many open files. Too few files may be open at once: raise the limit, as with `ulimit -n 4096`.\n',
  )
})

test('a misspelt command, subcommand or option is refused with the near one, and a setting with its variable', async () => {
  assert.match((await gateway(['statsu'])).stderr, /no command "statsu"; .* Did you mean `status`\?\n$/)
  assert.match(
    (await gateway(['audit', 'serch'])).stderr,
    /^gateway: `gateway audit` takes one of: .*; got "serch"\. Did you mean `search`\?\n$/,
  )
  assert.match((await gateway(['status', '--jsn'])).stderr, /'--jsn'; see `gateway help status`\. Did you mean --json\?\n$/)
  assert.match(
    (await gateway(['start', '--port', '7'])).stderr,
    /'--port'; see `gateway help start`\. That is a setting: GATEWAY_PORT\.\n$/,
  )
})

test('without a URL or a port, the service that runs on the data folder is asked; a process that is gone is not', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'process'))
  const running = announceRunning(folder, 'http://127.0.0.1:7999')
  const env = { GATEWAY_DATA_DIR: folder }
  assert.equal(serviceUrl(undefined, env), 'http://127.0.0.1:7999')
  assert.equal(serviceUrl(undefined, { ...env, GATEWAY_PORT: '7500' }), 'http://127.0.0.1:7500')
  assert.equal(serviceUrl('http://gateway.example', env), 'http://gateway.example')
  await writeFile(join(folder, 'process', 'service.json'), JSON.stringify({ ...runningIn(folder), pid: 2 ** 30 }))
  assert.equal(serviceUrl(undefined, env), `http://127.0.0.1:${DEFAULT_PORT}`)
  running.forget()
  assert.equal(runningIn(folder), undefined)
  for (const one of [{ HOME: '/home/me' }, { HOME: '/home/me', XDG_DATA_HOME: '/data' }])
    assert.equal(dataFolder(one), loadSettings({ env: one, cwd: folder }).dataDir)
})

test('a TOML file keeps all but the one table, comments too, and is as it was without it', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'config.toml')
  const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\nurl = "http://o"\n'
  await writeFile(path, before)
  const config = new TomlConfig(path, 'mcp_servers', 'gateway')
  await config.write({ url: 'http://127.0.0.1:1/mcp' })
  await config.write({ command: 'node', args: ['a', 'b'] })
  assert.equal(await readFile(path, 'utf8'), `${before}\n[mcp_servers.gateway]\ncommand = "node"\nargs = ["a","b"]\n`)
  assert.deepEqual([await config.undo(), await readFile(path, 'utf8'), await config.undo()], [true, before, false])
})

test('help lists every command with what it does, and the exit codes', async () => {
  const { code, stdout } = await gateway(['help'])
  assert.equal(code, 0)
  for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^  ${name} +\\S.*\\.$`, 'm'))
  assert.match(stdout, /0 done, 1 failed, 2 refused by the service, 3 no service reached, 64 wrong usage/)
  for (const flag of ['--help', '-h']) assert.equal((await gateway([flag])).stdout, stdout)
})

for (const name of Object.keys(commands)) {
  test(`help ${name} begins with what it is for, then shows its usage and every option, and so does ${name} --help`, async () => {
    const { code, stdout } = await gateway(['help', name])
    assert.equal(code, 0)
    const { summary, options = {} } = (await ownCommand(name)) ?? {}
    assert.ok(stdout.startsWith(`${summary}\n\nUsage: gateway ${name}`))
    for (const [option, { description }] of Object.entries(options))
      assert.match(stdout, new RegExp(`^  --${option}.* {2,}${escape(description)}$`, 'm'))
    assert.equal((await gateway([name, '--help'])).stdout, stdout)
  })
}

/** Uses a home without any login. */
const serviceUrl = (option: string | undefined, env: Record<string, string>): string =>
  serviceAddress(option, { HOME: '/nonexistent', ...env }).url

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

for (const [argv, sentence] of [
  [[], 'Expected a command; `gateway help` lists them.'],
  [['frobnicate'], 'There is no command "frobnicate"; `gateway help` lists them.'],
  [['toString'], 'There is no command "toString"; `gateway help` lists them.'],
  [['help', 'frobnicate'], 'There is no command "frobnicate"; `gateway help` lists them.'],
  [['status', '--frob'], "Unknown option '--frob'; see `gateway help status`."],
  [['status', '--url'], "Option '--url <value>' argument missing; see `gateway help status`."],
  [['status', '--url', 'localhost'], '--url must be a URL like http://127.0.0.1:7411; got "localhost".'],
  [['call'], 'Expected the name of a tool; `gateway tools` lists them.'],
  [['call', 'x', '{oops'], 'The arguments must be a JSON object; got {oops'],
  [['call', 'x', '[1]'], 'The arguments must be a JSON object; got [1]'],
  [['call', 'x', '{}', '{}'], 'Expected one JSON object after the tool’s name; quote it for the shell.'],
  [['call', 'x', '--arg', 'novalue'], '--arg must be NAME=VALUE; got "novalue".'],
  [['backup'], 'Expected where to write to: `gateway backup <folder>`, or `gateway backup <file>.tgz` for one file.'],
  [['migrate'], 'Expected where to: `gateway migrate --to mongodb://…` or `gateway migrate --to sqlite:<data folder>`.'],
  [
    ['migrate', '--to', 'postgres://x'],
    'Expected where to: `gateway migrate --to mongodb://…` or `gateway migrate --to sqlite:<data folder>`.',
  ],
  ...['start', 'status', 'dashboard', 'doctor', 'login', 'mcp', 'version'].map(
    (name) => [[name, 'extra'], 'Expected options only; got "extra".'] as const,
  ),
  [['tools', 'tasks', 'mailbox'], 'Expected one family or tool.'],
  [['help', 'status', 'tools'], 'Expected one command.'],
  [['completion', 'bash', 'zsh'], 'Expected one of: bash, zsh, fish.'],
  [['audit'], 'Expected `gateway audit` with verify, search, export.'],
] as const) {
  test(`gateway ${argv.join(' ')}: wrong usage is 64 and one sentence`, async () => {
    const { code, stdout, stderr } = await gateway(argv)
    assert.deepEqual([code, stdout, stderr], [64, '', `gateway: ${sentence}\n`])
  })
}

test('a file of arguments that cannot be read, or holds no object, is wrong usage and named', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'list.json'), '[]')
  const missing = await gateway(['call', 'x', '@no.json'], {}, folder)
  assert.equal(missing.code, 64)
  assert.match(missing.stderr, /^gateway: @no\.json cannot be read: ENOENT/)
  assert.equal(
    (await gateway(['call', 'x', '@list.json'], {}, folder)).stderr,
    'gateway: The arguments must be a JSON object; @list.json holds []\n',
  )
})

test('version prints the package’s version and the runtime’s', async () => {
  const { stdout } = await gateway(['version'])
  assert.equal(stdout, `gateway ${VERSION} (Node ${process.versions.node})\n`)
  assert.equal((await gateway(['--version'])).stdout, stdout)
  assert.deepEqual((await gateway(['version', '--json'])).json(), { gateway: VERSION, node: process.versions.node })
})

for (const argv of [['status'], ['dashboard'], ['tools'], ['call', 'x']]) {
  test(`${argv[0]}: a service that is down is exit code 3, the URL, and what to do`, async () => {
    const url = await closedUrl()
    const { code, stderr } = await gateway(argv, { GATEWAY_URL: url })
    assert.equal(code, 3)
    assert.equal(
      stderr,
      `gateway: No gateway answers at ${url} (ECONNREFUSED). Start one with \`gateway start\`, or name another with --url or GATEWAY_URL.\n`,
    )
    assert.deepEqual((await gateway([...argv, '--json'], { GATEWAY_URL: url })).json(), {
      error: stderr.slice('gateway: '.length).trimEnd(),
    })
  })
}

test('a client sends each method with its body, and calls a tool by its name', async (t) => {
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify({ said: `${request.method} ${request.url} ${body}` })))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { HOME: '/nonexistent' })
  const said = await Promise.all([
    client.get('/a'),
    client.post('/a', { b: 1 }),
    client.put('/a', { b: 2 }),
    client.patch('/a', {}),
    client.delete('/a'),
    client.call('a_tool'),
    client.call('a_tool', { c: 3 }),
  ])
  assert.deepEqual(
    said.map((answer) => (answer as { said: string }).said),
    [
      'GET /a ',
      'POST /a {"b":1}',
      'PUT /a {"b":2}',
      'PATCH /a {}',
      'DELETE /a ',
      'POST /api/tools/a_tool {}',
      'POST /api/tools/a_tool {"c":3}',
    ],
  )
})

test('something else that answers is said to be no gateway', async (t) => {
  const server = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const { code, stderr } = await gateway(['status'], { GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  assert.equal(code, 1)
  assert.match(stderr, /does not answer like a gateway \(status 200, no JSON object\)/)
})

test('a service that does not answer in time is not reached', async (t) => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, { briefMs: 20, longMs: 20 })
  await assert.rejects(client.get('/status'), /^CommandError: No gateway answers at .* \(.*timeout\)\. Start one/)
})

test('the service is the one of --url, else of GATEWAY_URL, else of the last login, else a local one with these settings', async (t) => {
  const HOME = await temporaryFolder(t)
  await rememberUrl('https://remembered.example', { HOME })
  assert.deepEqual(serviceAddress(undefined, { HOME, GATEWAY_PORT: '1' }), { url: 'https://remembered.example', source: 'remembered' })
  assert.equal(serviceUrl(undefined, { HOME, GATEWAY_URL: 'http://b.example' }), 'http://b.example')
  assert.equal(serviceUrl('https://a.example', { HOME }), 'https://a.example')

  assert.equal((settingsSchema.properties.port as { default?: unknown }).default, DEFAULT_PORT)
  assert.equal(serviceUrl('https://a.example/', { GATEWAY_URL: 'http://b.example' }), 'https://a.example')
  assert.equal(serviceUrl(undefined, { GATEWAY_URL: 'http://b.example', GATEWAY_PORT: '1' }), 'http://b.example')
  assert.equal(serviceUrl(undefined, {}), 'http://127.0.0.1:7411')
  assert.equal(serviceUrl(undefined, { GATEWAY_HOST: '0.0.0.0', GATEWAY_PORT: '80' }), 'http://127.0.0.1:80')
  assert.equal(serviceUrl(undefined, { GATEWAY_HOST: '::' }), 'http://[::1]:7411')
  assert.equal(serviceUrl(undefined, { GATEWAY_HOST: 'fd00::1' }), 'http://[fd00::1]:7411')
})

test('a remembered service that is no URL is an error that names the file', async (t) => {
  const HOME = await temporaryFolder(t)
  await mkdir(join(HOME, '.config', 'gateway'), { recursive: true })
  await writeFile(join(HOME, '.config', 'gateway', 'service.json'), '{"url": 7}')
  assert.throws(
    () => serviceAddress(undefined, { HOME }),
    /service\.json must be JSON with the member url, an http or https URL; remove it/,
  )
})

test('a usage tells its subcommands from its placeholders', () => {
  assert.deepEqual(subcommands('new <name> | check [folder]'), ['new', 'check'])
  assert.deepEqual(subcommands('--key K [--url U] | --forget'), [])
  assert.deepEqual(subcommands('[family | tool]'), [])
  assert.deepEqual(placeholders('[family | tool]'), ['family', 'tool'])
  assert.deepEqual(placeholders('<tool> [json | @file | --arg name=value …]'), ['tool'])
})

test('tables align, and colour is for terminals only', () => {
  const print = (colour: boolean): string => {
    let text = ''
    const output = new Output({ stdout: (part) => void (text += part), stderr: () => {}, colour })
    output.table(
      [
        ['a', { text: 'ok', tone: 'good' }, 'x'],
        ['longer', 'fine', ''],
      ],
      ['name'],
    )
    return text
  }
  assert.equal(print(false), 'name\na       ok    x\nlonger  fine\n')
  assert.match(print(true), /\u001b\[32mok {2}\u001b\[39m/)
})

test('durations show their two greatest units', () => {
  assert.deepEqual([0, 59, 61, 3600, 90_061].map(duration), ['0 s', '59 s', '1 min 1 s', '1 h', '1 d 1 h'])
})

async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
