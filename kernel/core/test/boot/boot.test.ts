import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  alertRaised,
  closed,
  defineConfig,
  definePlugin,
  defineService,
  defineTool,
  on,
  optional,
  type PluginSpec,
  provide,
  provideProcess,
  serverAddress,
  Type,
} from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const plugin = (id: string, spec: Partial<PluginSpec> = {}) => definePlugin({ id, sdk: '^1.0.0', description: 'A plugin.', ...spec })
const tool = (name: string, uses = {}) =>
  defineTool({
    name,
    description: 'A tool.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    uses,
    handle: async () => ({}),
  })

describe('boot', () => {
  it('starts providers first and stops in reverse', async () => {
    const order: string[] = []
    const life = (id: string) => ({ start: async () => void order.push(`start ${id}`), stop: async () => void order.push(`stop ${id}`) })
    const service = defineService<object>('b.service')
    const a = plugin('a', { tools: [tool('use', { service })], ...life('a') })
    const b = plugin('b', { provides: [provide(service, { create: () => ({}) })], ...life('b') })
    const gateway = await startTestGateway({ plugins: [a, b] })
    await gateway.stop()
    assert.deepEqual(order, ['start b', 'start a', 'stop a', 'stop b'])
  })

  it('names the plugin and phase of a failing start, and stops what was started before it', async () => {
    let stopped = false
    const good = plugin('good', { start: async () => {}, stop: async () => void (stopped = true) })
    const bad = plugin('bad', {
      start: async () => {
        throw new Error('no printer')
      },
    })
    await assert.rejects(startTestGateway({ plugins: [good, bad] }), { message: /^plugin 'bad' failed in start: no printer;/ })
    assert.ok(stopped)
  })

  it('makes the process services of a plugin after those it uses, and without those of one that did not start', async () => {
    const service = (name: string) => defineService<object>(`test.${name}`, 'process')
    const [base, wanted, built] = [service('base'), service('wanted'), service('built')]
    let got: object | undefined
    const uses = { base, wanted: optional(wanted) }
    const builder = plugin('builder', {
      provides: [
        provideProcess(built, {
          uses,
          create: (given) => {
            got = given
            return {}
          },
        }),
        provideProcess(base, { create: () => ({ base: true }) }),
      ],
    })
    const broken = plugin('broken', {
      provides: [provideProcess(wanted, { create: () => ({}) })],
      start: () => Promise.reject(new Error('no printer')),
    })
    await using _ = await startTestGateway({ plugins: [builder, broken], env: { GATEWAY_ON_START_FAILURE: 'continue' } })
    assert.deepEqual(got, { base: { base: true }, wanted: undefined })
  })

  it('disposes of process services that ask for it, after their plugin’s stop and the last made first', async () => {
    const order: string[] = []
    const service = (name: string) => defineService<object>(`test.${name}`, 'process')
    const made = (name: string) => () => ({ [Symbol.asyncDispose]: async () => void order.push(name) })
    const [base, built] = [service('base'), service('built')]
    const owner = plugin('owner', {
      provides: [provideProcess(built, { uses: { base }, create: made('built') }), provideProcess(base, { create: made('base') })],
      stop: async () => void order.push('stop'),
    })
    await (await startTestGateway({ plugins: [owner] })).stop()
    assert.deepEqual(order, ['stop', 'built', 'base'])
  })

  it('prints the path of a circle between the process services of a plugin', async () => {
    const [one, two] = [defineService<object>('test.one', 'process'), defineService<object>('test.two', 'process')]
    const round = plugin('round', {
      provides: [provideProcess(one, { uses: { two }, create: () => ({}) }), provideProcess(two, { uses: { one }, create: () => ({}) })],
    })
    await assert.rejects(startTestGateway({ plugins: [round] }), {
      message: /^plugin 'round' failed in start: services depend on each other in a cycle: test\.one → test\.two → test\.one;/,
    })
  })

  it('goes on stopping when one stop fails', async () => {
    let stopped = false
    const good = plugin('good', { stop: async () => void (stopped = true) })
    const bad = plugin('bad', {
      stop: async () => {
        throw new Error('stuck')
      },
    })
    const gateway = await startTestGateway({ plugins: [good, bad] })
    await gateway.stop()
    assert.ok(stopped)
    assert.ok(gateway.logs.some((log) => log.msg === "plugin 'bad' failed in stop: stuck"))
  })

  it('gives up on a stop that hangs', async () => {
    const gateway = await startTestGateway({
      plugins: [plugin('hangs', { stop: () => new Promise(() => {}) })],
      env: { GATEWAY_STOP_TIMEOUT_MS: '100' },
    })
    await gateway.stop()
    assert.ok(gateway.logs.some((log) => String(log.msg).includes("plugin 'hangs' failed in stop: stop took longer than 100 ms")))
  })

  it('gives up on a listener that hangs', async () => {
    const teller = defineTool({
      name: 'hangs_tell',
      description: 'Tells.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      uses: { alertRaised },
      async handle(_, { alertRaised }) {
        alertRaised.emit({ level: 'info', source: 'hangs', title: 'Heard', message: 'and never done.' })
        return {}
      },
    })
    const gateway = await startTestGateway({
      plugins: [plugin('hangs', { tools: [teller], on: [on(alertRaised, { handle: () => new Promise(() => {}) })] })],
      env: { GATEWAY_STOP_TIMEOUT_MS: '100' },
    })
    await gateway.call('hangs_tell')
    await gateway.stop()
    assert.ok(gateway.logs.some((log) => String(log.msg).includes('listeners took longer than 100 ms')))
  })

  it('refuses bad settings of a plugin before any of its code runs', async () => {
    let ran = false
    const config = defineConfig('picky', Type.Object({ size: Type.Integer({ minimum: 1, default: 1 }) }, closed))
    const picky = plugin('picky', { config, start: async () => void (ran = true) })
    await assert.rejects(startTestGateway({ plugins: [picky], config: { picky: { size: 0 } } }), {
      message: /plugin 'picky' failed in config: `size` must be at least 1; got 0/,
    })
    await assert.rejects(startTestGateway({ plugins: [picky], config: { picky: { sise: 2 } } }), { message: /`sise` is not known here/ })
    await assert.rejects(startTestGateway({ plugins: [picky], config: { pickey: {} } }), { message: /no such plugin: built in are picky,/ })
    assert.equal(ran, false)
  })

  it('names the variable that a bad setting came from', async () => {
    const address = Type.Optional(Type.String({ rule: serverAddress, env: 'PICKY_URL' }))
    const config = defineConfig('picky', Type.Object({ address }, closed))
    const picky = plugin('picky', { config })
    for (const given of ['https://a.example/', 'https://a.example/path', 'a.example', 'https://a b', 'https://me@a.example']) {
      const fault =
        '`address` must be an http or https address without a path and without a slash at its end, such as https://gateway.example'
      const told = `${fault}; got "${given}".`
      const blamed = "plugin 'picky' failed in config:"
      await assert.rejects(startTestGateway({ plugins: [picky], env: { PICKY_URL: given } }), { message: `${blamed} PICKY_URL: ${told}` })
      await assert.rejects(startTestGateway({ plugins: [picky], config: { picky: { address: given } } }), { message: `${blamed} ${told}` })
    }
    await using gateway = await startTestGateway({ plugins: [picky], env: { PICKY_URL: 'https://[2001:db8::1]:8443' } })
    assert.ok(gateway)
  })

  it('leaves a plugin out that is switched off', async () => {
    await using gateway = await startTestGateway({
      plugins: [plugin('a', { tools: [tool('a_tool')] }), plugin('b', { tools: [tool('b_tool')] })],
      config: { b: false },
    })
    await gateway.call('a_tool')
    await assert.rejects(gateway.call('b_tool'), { code: 'UNKNOWN_TOOL' })
  })
})
