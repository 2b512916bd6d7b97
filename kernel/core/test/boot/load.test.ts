import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { startTestGateway } from '@gateway/testing'
import { everyPlugin } from '../../src/boot/load.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-plugins-'))
after(() => rm(folder, { recursive: true }))

const fixture = (name: string): string => join(import.meta.dirname, 'plugins', name)
const builtIn = definePlugin({
  id: 'built-in',
  sdk: '^1.0.0',
  description: 'Comes with the gateway.',
  tools: [
    defineTool({
      name: 'built_in_tool',
      description: 'Does nothing.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      handle: async () => ({}),
    }),
  ],
})

/** Reading a file may exceed a short limit; a file that was read before is available at once. */
const imported = (...names: readonly string[]) => Promise.all(names.map((name) => import(fixture(name))))

type Config = Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>
const start = (config: Config, env: Record<string, string> = {}) =>
  startTestGateway({ plugins: [builtIn], config, env: { GATEWAY_CONFIG: configFile, ...env } })

/** The config file is empty: only its place counts, and each test sets the rest. */
const configFile = join(folder, 'gateway.config.json')
await writeFile(configFile, '{}')

/** Creates a package next to the config file as `npm install` leaves it. */
async function install(name: string, manifest: object, files: Readonly<Record<string, string>>): Promise<void> {
  const at = join(folder, 'node_modules', name)
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify({ name, type: 'module', ...manifest }), ...files })) {
    await mkdir(join(at, file, '..'), { recursive: true })
    await writeFile(join(at, file), text)
  }
}
const source = (id: string): string => `export default { id: '${id}', sdk: '^1.0.0', description: 'A plugin in a package.' }`

async function faultsOf(config: Config, env?: Record<string, string>): Promise<readonly string[]> {
  try {
    await (await start(config, env)).stop()
    return []
  } catch (error) {
    return (error as { faults?: readonly string[] }).faults ?? [String(error)]
  }
}

describe('plugins of the config file', () => {
  it('a path is loaded with its settings, beside what is built in', async () => {
    await using gateway = await start({ [fixture('good.mjs')]: { word: 'better' } })
    assert.deepEqual(await gateway.call('good_say'), { word: 'better' })
    assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/good' })).json(), { word: 'better' })
    await gateway.call('built_in_tool')
  })

  it('a relative path begins at the config file; a folder is the package in it', async () => {
    await mkdir(join(folder, 'mine', 'dist'), { recursive: true })
    await writeFile(join(folder, 'mine', 'package.json'), '{"type":"module","exports":"./dist/index.js"}')
    await writeFile(join(folder, 'mine', 'dist', 'index.js'), source('mine'))
    await writeFile(join(folder, 'single.mjs'), source('single'))
    await using gateway = await start({ './mine': true, './single.mjs': {} })
    assert.deepEqual(await outcomes(gateway), { 'built-in': 'started', mine: 'started', single: 'started' })
  })

  it('`main` is read as an import reads it: without its extension, and as a folder', async () => {
    await install('short-main', { main: 'lib/main' }, { 'lib/main.js': source('short-main') })
    await install('folder-main', { main: 'lib' }, { 'lib/index.js': source('folder-main') })
    await using gateway = await start({ 'short-main': true, 'folder-main': true })
    assert.deepEqual(await outcomes(gateway), { 'built-in': 'started', 'short-main': 'started', 'folder-main': 'started' })
  })

  it('an npm package is found from the config file’s folder, as an import would find it', async () => {
    await install('plain', { main: 'lib/main.js' }, { 'lib/main.js': source('plain') })
    await install(
      '@scope/modern',
      { exports: { '.': { require: './no.cjs', import: { default: './index.js' } } } },
      { 'index.js': source('modern') },
    )
    await install('@scope/suite', { exports: { './a': './a.js' } }, { 'a.js': source('suite-a') })
    await using gateway = await start({ plain: true, '@scope/modern': true, '@scope/suite/a': true })
    assert.deepEqual(await outcomes(gateway), { 'built-in': 'started', plain: 'started', modern: 'started', 'suite-a': 'started' })
  })

  it('false leaves a plugin out without importing it, and the status says so', async () => {
    await using gateway = await start({ [fixture('throws-on-import.mjs')]: false, 'built-in': false })
    assert.deepEqual(await outcomes(gateway), { [fixture('throws-on-import.mjs')]: 'off', 'built-in': 'off' })
    await assert.rejects(gateway.call('built_in_tool'), { code: 'UNKNOWN_TOOL' })
  })

  it('another plugin can take the place of a built-in one that is switched off', async () => {
    await using gateway = await start({ 'built-in': false, [fixture('id-taken.mjs')]: true })
    assert.deepEqual(await outcomes(gateway), { 'built-in': 'started' })
  })

  it('the data of every plugin can be moved, also of those that are switched off', async () => {
    const settings = loadSettings({ env: { GATEWAY_DATA_DIR: folder }, cwd: folder })
    const config = { 'built-in': false, [fixture('good.mjs')]: false }
    const ids = (await everyPlugin([builtIn], { ...settings, plugins: config })).map(({ id }) => id)
    assert.deepEqual(ids, ['built-in', 'good'])
  })
})

describe('a plugin that cannot be loaded stops the start and says what to do', () => {
  const path = (name: string) => ({ [fixture(name)]: true })
  const ways: readonly (readonly [string, Config, RegExp])[] = [
    [
      'a name nobody knows',
      { taskz: true },
      /^plugin 'taskz' failed in load: no such plugin: built in are built-in, and \S+ has no package taskz; correct the name, install/,
    ],
    [
      'a name nobody knows that is switched off, and may be a mistyped one',
      { 'biult-in': false },
      /^plugin 'biult-in' failed in load: no plugin of this name can be disabled: built in are built-in; correct the name, or remove it$/,
    ],
    [
      'a path that leads nowhere',
      { './nowhere.mjs': true },
      /failed in load: \S+nowhere\.mjs does not exist; correct the path, which is relative to /,
    ],
    [
      'an import that throws',
      path('throws-on-import.mjs'),
      /failed in load: importing \S+ failed: no printer; a plugin only defines itself/,
    ],
    [
      'an import of what is not installed',
      path('imports-missing.mjs'),
      /failed in load: Cannot find package 'a-package-nobody-has'.*; install what it imports/,
    ],
    ['no default export', path('no-default-export.mjs'), /failed in load: \S+ has no default export; write `export default definePlugin/],
    [
      'a default export that is something else',
      path('not-a-plugin.mjs'),
      /failed in load: the default export of \S+ is a function and no plugin/,
    ],
    ['a plugin with parts of the wrong kind', path('half-a-plugin.mjs'), /is no plugin: sdk must be a string, tools must be a list; write/],
    [
      'parts that are misspelt, or no functions',
      path('parts-misspelt.mjs'),
      /is no plugin: start must be a function, toolz is no part of a plugin, which are id, sdk, description, start, stop, config, [a-zA-Z, ]+; write/,
    ],
    [
      'a member of a declaration that is misspelt',
      path('member-misspelt.mjs'),
      /failed in load: \S+member-misspelt.mjs declares something wrongly: tool late_get: raest is none of its members, which are name, [a-zA-Z, ]+$/,
    ],
    ['null', path('null.mjs'), /failed in load: the default export of \S+ is null and no plugin; write/],
    [
      'parts that no function of the SDK made',
      path('bare-parts.mjs'),
      new RegExp(
        [
          'failed in load: the default export of \\S+ is no plugin: ',
          'tools\\[0\\] must be what defineTool makes; got undefined, ',
          'tools\\[1\\] must be what defineTool makes, with its errors, uses, ',
          'jobs\\[0\\] must be what defineJob makes, with its id, uses, run, ',
          'on\\[0\\] uses notes, which must be a ref; got undefined, ',
          'config must be what defineConfig makes, with its schema; write',
        ].join(''),
      ),
    ],
    [
      'an import that throws what is no error',
      path('throws-null.mjs'),
      /failed in load: importing \S+throws-null\.mjs failed: null; a plugin only defines itself/,
    ],
    [
      'an import of a name that is not exported',
      path('imports-wrong-name.mjs'),
      /failed in load: importing file:\S+imports-wrong-name\.mjs:1 failed: .* does not provide an export named 'Later'; correct it, or install/,
    ],
    [
      'what is no JavaScript',
      path('no-javascript.txt'),
      /failed in load: \S+no-javascript\.txt is no JavaScript; name the plugin’s JavaScript file, or its package$/,
    ],
    [
      'TypeScript',
      path('typescript.ts'),
      /failed in load: \S+typescript\.ts is TypeScript, which cannot be loaded: compile it, and name the JavaScript/,
    ],
    [
      'another SDK',
      path('wrong-sdk.mjs'),
      /^plugin 'from-the-future' failed in plan: it needs @gateway\/sdk \^9\.0\.0, this gateway has [\d.]+; take a version/,
    ],
    [
      'an id that is taken',
      path('id-taken.mjs'),
      /failed in load: its id built-in is taken by the built-in plugin; disable one of the two/,
    ],
    [
      'a tool name that is taken',
      path('tool-taken.mjs'),
      /^plugin 'second' failed in plan: name operation built_in_tool is taken by plugin 'built-in'; rename it, or switch/,
    ],
    [
      'a capability that there is none of',
      path('capability-misspelt.mjs'),
      /^plugin 'misspelt' failed in plan: tool misspelt_tool: the capability must be one of read, work, .*; got "opertor"$/,
    ],
    [
      'an effect that there is none of',
      path('effect-misspelt.mjs'),
      /^plugin 'misspelt' failed in plan: tool misspelt_tool: the effect must be one of read, write, destructive; got "reads"$/,
    ],
    [
      'settings with a schema that is none',
      path('settings-without-schema.mjs'),
      /^plugin 'settings-without-schema' failed in config: the schema of its settings is invalid: .*strin/,
    ],
    [
      'settings its schema refuses',
      { [fixture('good.mjs')]: { word: 3 } },
      /^plugin 'good' failed in config: `word` must be a string; got 3/,
    ],
    ['a setting it does not have', { [fixture('good.mjs')]: { wrod: 'x' } }, /^plugin 'good' failed in config: `wrod` is not known here/],
    [
      'settings for a plugin that has none',
      { [fixture('stop-hangs.mjs')]: { a: 1 } },
      /^plugin 'stop-hangs' failed in config: it has no settings; write true/,
    ],
    [
      'a collection that no store can keep',
      path('collection-unstorable.mjs'),
      /^plugin 'unstorable' failed in plan: Collection "Unstorable": the id must match /,
    ],
    [
      'a service of the process that cannot be made',
      path('service-throws.mjs'),
      /^plugin 'service-throws' failed in start: its service service-throws\.printer could not be created: no printer; put that right, switch the plugin off, or set/,
    ],
    [
      'a start that throws',
      path('start-throws.mjs'),
      /^plugin 'start-throws' failed in start: no printer; put that right, switch the plugin off, or set GATEWAY_ON_START_FAILURE=continue/,
    ],
  ]
  for (const [what, config, message] of ways) {
    it(what, async () => {
      const faults = await faultsOf(config)
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults[0] ?? '', message)
    })
  }

  it('an import and a start that hang are given up on', async () => {
    const env = { GATEWAY_START_TIMEOUT_MS: '100' }
    await imported('start-hangs.mjs')
    assert.match(
      (await faultsOf(path('import-hangs.mjs'), env))[0] ?? '',
      /failed in load: importing \S+ failed: its import took longer than 100 ms/,
    )
    assert.match(
      (await faultsOf(path('start-hangs.mjs'), env))[0] ?? '',
      /^plugin 'start-hangs' failed in start: start took longer than 100 ms/,
    )
  })

  it('a stop that hangs keeps nobody else from stopping', async () => {
    const gateway = await start(path('stop-hangs.mjs'), { GATEWAY_STOP_TIMEOUT_MS: '100' })
    await gateway.stop()
    assert.ok(gateway.logs.some(({ msg }) => msg === "plugin 'stop-hangs' failed in stop: stop took longer than 100 ms"))
  })

  it('a package without a build, or without the export, says which file is missing', async () => {
    await install('unbuilt', { exports: './dist/index.js' }, {})
    await install('closed', { exports: { './other': './other.js' } }, { 'other.js': '' })
    assert.match((await faultsOf({ unbuilt: true }))[0] ?? '', /names \S+dist\/index\.js, which does not exist; build the package first/)
    assert.match((await faultsOf({ closed: true }))[0] ?? '', /closed\/package\.json exports no \. to an import/)
  })

  it('a package.json that is no JSON is named', async () => {
    await install('no-json', {}, { 'package.json': '{ no' })
    assert.match(
      (await faultsOf({ 'no-json': true }))[0] ?? '',
      /^plugin 'no-json' failed in load: \S+package\.json cannot be read as JSON: /,
    )
  })

  it('every fault of every plugin is reported at once', async () => {
    const faults = await faultsOf({
      taskz: true,
      ...path('wrong-sdk.mjs'),
      [fixture('good.mjs')]: { word: 3 },
      ...path('needs-unstarted.mjs'),
    })
    // A need for a service that may belong to a plugin that failed to load is not reported.
    assert.equal(faults.length, 3, faults.join('\n'))
  })
})

describe('what does not start', () => {
  const names = ['service-throws.mjs', 'start-throws.mjs', 'start-hangs.mjs', 'needs-unstarted.mjs', 'wants-unstarted.mjs', 'good.mjs']
  const config = Object.fromEntries(names.map((name) => [fixture(name), true]))
  const env = { GATEWAY_ON_START_FAILURE: 'continue', GATEWAY_START_TIMEOUT_MS: '100' }
  before(() => imported(...names))

  it('is left out with what needs it when the start goes on, and the status says why', async () => {
    await using gateway = await start(config, env)
    assert.deepEqual(await outcomes(gateway), {
      'built-in': 'started',
      'service-throws': 'failed: its service service-throws.printer could not be created: no printer',
      'start-throws': 'failed: no printer',
      'start-hangs': 'failed: start took longer than 100 ms',
      'needs-it': "failed: it needs plugin 'start-throws', which did not start",
      'wants-it': 'started',
      good: 'started',
    })
    assert.equal(gateway.logs.filter(({ msg }) => String(msg).endsWith('the gateway runs without it')).length, 4)
    assert.ok(gateway.logs.some(({ msg, plugin }) => msg === 'nobody waits any more' && plugin === 'start-hangs'))
  })

  it('offers nothing: no tool, route, job or service', async () => {
    await using gateway = await start(config, env)
    const listed = (await gateway.inject({ method: 'GET', url: '/api/tools' })).body
    for (const tool of ['unstarted_tool', 'needs_it']) {
      await assert.rejects(gateway.call(tool), { code: 'UNKNOWN_TOOL' })
      assert.ok(!listed.includes(tool))
    }
    for (const url of ['/api/unstarted', '/unstarted']) assert.equal((await gateway.inject({ method: 'GET', url })).status, 404)
    await assert.rejects(gateway.runJob('start-throws.job'))
    assert.deepEqual(await gateway.call('wants_it'), { there: false })
    assert.deepEqual(await gateway.call('good_say'), { word: 'good' })
  })

  it('a family that is switched off is named to who needs it, once', async () => {
    const [fault, ...others] = await faultsOfOff()
    assert.deepEqual(others, [])
    assert.match(
      fault ?? '',
      /^plugin 'user' failed in plan: tool use_it uses service: no running plugin provides the service owner\.service, since plugin 'owner' is disabled/,
    )
  })
})

async function faultsOfOff(): Promise<readonly string[]> {
  const { defineService, provide } = await import('@gateway/sdk')
  const service = defineService<object>('owner.service')
  const owner = definePlugin({ id: 'owner', sdk: '^1.0.0', description: 'Provides.', provides: [provide(service, { create: () => ({}) })] })
  const [tool] = builtIn.tools
  const user = definePlugin({
    id: 'user',
    sdk: '^1.0.0',
    description: 'Uses.',
    tools: ['use_it', 'use_it_too'].map((name) => ({ ...(tool as (typeof builtIn.tools)[number]), name, uses: { service } })),
  })
  try {
    await (await startTestGateway({ plugins: [owner, user], config: { owner: false } })).stop()
    return []
  } catch (error) {
    return (error as { faults: readonly string[] }).faults
  }
}

async function outcomes(gateway: {
  inject(request: { method: string; url: string }): Promise<{ json(): unknown }>
}): Promise<Record<string, string>> {
  const { plugins } = (await gateway.inject({ method: 'GET', url: '/status' })).json() as {
    plugins: readonly { id: string; outcome: string; error?: string }[]
  }
  return Object.fromEntries(plugins.map(({ id, outcome, error }) => [id, error === undefined ? outcome : `${outcome}: ${error}`]))
}
