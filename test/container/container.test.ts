/** Docker is rarely available to tests: this reads the image and the compose files, and starts the service as they say. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { settingsSchema } from '@gateway/settings'
import { parse } from 'yaml'
import { config as gitConfig } from '../../plugins/git/src/config.ts'
import { compiled } from '../../scripts/typescript/options.mjs'
import { root } from '../../scripts/workspaces.mjs'
import { freePort } from '../support/ports.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The stages of the Dockerfile, each a list of instructions with their lines. */
const stages = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest: rest.trim() })))
const image = stages.at(-1) ?? []
const last = (name: string): string => image.findLast((one) => one.name === name)?.rest ?? ''
const imageEnv = Object.fromEntries([...last('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))

test('the image is built in one stage and run in another, as nobody in particular, from files that are there', () => {
  assert.equal(stages.length, 2)
  assert.equal(last('USER'), 'node')
  const after = image.slice(image.findIndex(({ name }) => name === 'USER')).map(({ name }) => name)
  assert.ok(!after.includes('RUN') && !after.includes('COPY'), 'nothing is made that its user may change')
  const copied = image.flatMap(({ name, rest }) =>
    name === 'COPY'
      ? rest
          .split(' ')
          .filter((part) => part.startsWith('/app/'))
          .slice(0, -1)
      : [],
  )
  assert.ok(copied.length >= 6)
  for (const path of copied) assert.ok(existsSync(join(root, path.replace('/app/', ''))), path)
  const [, program = ''] = JSON.parse(last('ENTRYPOINT')) as string[]
  assert.ok(existsSync(join(root, program.replace('/app/', ''))), program)
  assert.deepEqual(JSON.parse(last('CMD')), ['start'])
  assert.doesNotMatch(read('Dockerfile'), /TOKEN=|SECRET=|PASSWORD/, 'no secret is baked in')
})

test('of the checkout only what the build needs is sent to it, and all of that', () => {
  const [first, ...lines] = read('.dockerignore').trim().split('\n')
  assert.equal(first, '*')
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  for (const path of sent) assert.ok(existsSync(join(root, path)), path)
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  for (const needed of ['package.json', 'package-lock.json', 'scripts', ...workspaces.map((one) => one.split('/')[0] ?? '')]) {
    assert.ok(sent.includes(needed), needed)
  }
  for (const unwanted of ['**/node_modules', '**/dist']) assert.ok(lines.includes(unwanted), unwanted)
})

interface Service {
  readonly build?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[]
}
const compose = (file: string) => parse(read(file), { merge: true }) as { services: Record<string, Service>; volumes: object }

for (const [file, nodes] of [
  ['deploy/compose.yaml', ['gateway']],
  ['deploy/compose.mongodb.yaml', ['gateway-1', 'gateway-2']],
] as const) {
  test(`${file}: read-only, without capabilities, reached from this machine alone, and set by settings there are`, () => {
    const { services, volumes } = compose(file)
    const gateways = nodes.map((name) => services[name] as Service)
    const known = [settingsSchema, gitConfig.schema].flatMap(({ properties }) =>
      Object.values(properties as Record<string, { env?: string }>).map(({ env }) => env),
    )
    for (const gateway of gateways) {
      assert.ok(existsSync(join(root, dirname(file), gateway.build ?? '', 'Dockerfile')))
      assert.equal(gateway.read_only, true)
      assert.deepEqual(gateway.cap_drop, ['ALL'])
      assert.deepEqual(
        gateway.env_file,
        [{ path: 'service.env', required: false }],
        'further variables come from a file that may be missing',
      )
      for (const port of gateway.ports ?? []) assert.match(port, /^127\.0\.0\.1:\d+:7411$/)
      for (const name of Object.keys(gateway.environment ?? {})) assert.ok(known.includes(name), name)
      for (const value of Object.values(gateway.environment ?? {}))
        assert.match(value, /^(\$\{.*\}|mongodb:\/\/mongodb:27017\/gateway\?replicaSet=rs0|\/brains|)$/)
    }
    const folders = gateways.flatMap((gateway) => gateway.volumes ?? [])
    const [own, shared] = [folders.filter((folder) => folder.endsWith(':/data')), folders.filter((folder) => !folder.endsWith(':/data'))]
    assert.equal(new Set(own).size, nodes.length, 'each node has a data folder of its own')
    if (nodes.length > 1) {
      assert.deepEqual(
        shared,
        nodes.map(() => 'brains:/brains'),
        'all nodes share the folder of brains',
      )
      for (const gateway of gateways) assert.equal(gateway.environment?.GATEWAY_BRAINS_DIR, '/brains')
      assert.ok(
        image.some(({ name, rest }) => name === 'RUN' && /chown node:node \/data \/brains/.test(rest)),
        'a new volume belongs to the user',
      )
    } else assert.deepEqual(shared, [])
    for (const folder of folders) assert.ok((folder.split(':')[0] ?? '') in volumes, folder)
  })
}

test('nodes on one MongoDB are given the same hash key and local token, and do not start without', () => {
  const { services } = compose('deploy/compose.mongodb.yaml')
  for (const name of ['gateway-1', 'gateway-2']) {
    const { environment = {} } = services[name] as Service
    assert.match(environment.GATEWAY_HASH_KEY ?? '', /^\$\{GATEWAY_HASH_KEY:\?/)
    assert.match(environment.GATEWAY_LOCAL_TOKEN ?? '', /^\$\{GATEWAY_LOCAL_TOKEN:\?/)
    assert.equal(environment.GATEWAY_LOCAL_TOKEN_FILE, '')
  }
  assert.equal(services.mongodb?.ports, undefined)
})

async function firstLines(child: ChildProcess): Promise<readonly string[]> {
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout as never }).on('line', (line) => {
      said.push(line)
      if (line.startsWith('└─')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}: ${said.join('\n')}`)))
  })
  return said
}

test('with the settings of the image nobody is local, the token it prints is the way in, and its health check tells whether it runs', async () => {
  const data = await mkdtemp(join(tmpdir(), 'gateway-container-'))
  const port = String(await freePort())
  const settings = Object.fromEntries(Object.entries(imageEnv).map(([name, value]) => [name, value.replace(/^\/data/, data)]))
  const env = { PATH: process.env.PATH ?? '', HOME: data, ...settings, GATEWAY_PORT: port, GATEWAY_LOG_LEVEL: 'warn' }
  const program = (JSON.parse(last('ENTRYPOINT')) as string[])[1]?.replace('/app', root) ?? ''
  const child = spawn(process.execPath, [...compiled, program, ...(JSON.parse(last('CMD')) as string[])], {
    cwd: data,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const healthy = async (): Promise<boolean> => {
    const [, ...command] = JSON.parse(/CMD (\[.*\])/.exec(last('HEALTHCHECK'))?.[1] ?? '[]') as string[]
    return await new Promise((resolve) => execFile(process.execPath, command, { env }, (error) => resolve(error === null)))
  }
  try {
    const said = await firstLines(child)
    const token = (await readFile(join(data, 'keys', 'local.token'), 'utf8')).trim()
    assert.ok(said[0]?.endsWith(token), said[0])
    assert.match(said.join('\n'), /no request is trusted without a credential, this machine included: GATEWAY_LOOPBACK_TRUST is off/)
    const who = async (headers: Record<string, string>) => await fetch(`http://127.0.0.1:${port}/api/auth/whoami`, { headers })
    assert.equal((await who({})).status, 401)
    assert.equal(((await (await who({ authorization: `Bearer ${token}` })).json()) as { role: string }).role, 'operator')
    assert.equal(await healthy(), true)
    child.kill(last('STOPSIGNAL') as NodeJS.Signals)
    assert.deepEqual(await exited, [0, null])
    assert.equal(await healthy(), false)
  } finally {
    child.kill('SIGKILL')
    await exited
    await rm(data, { recursive: true })
  }
})
