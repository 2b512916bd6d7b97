import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plan } from '@gateway/kernel'
import {
  atomically,
  closed,
  contribute,
  defineCollection,
  defineCommand,
  defineConfig,
  defineContribution,
  defineError,
  defineEvent,
  defineJob,
  defineMetric,
  definePlugin,
  defineRoute,
  defineService,
  defineTool,
  on,
  optional,
  type Plugin,
  type PluginSpec,
  provide,
  provideProcess,
  Type,
  type Uses,
} from '@gateway/sdk'

const Empty = Type.Object({}, closed)

const plugin = (id: string, spec: Partial<PluginSpec> = {}): Plugin =>
  definePlugin({ id, sdk: '^1.0.0', description: 'A plugin.', ...spec })
const tool = (name: string, uses: Uses = {}, more: object = {}) =>
  defineTool({
    name,
    description: 'A tool.',
    capability: 'read',
    effect: 'read',
    input: Empty,
    output: Empty,
    uses,
    handle: async () => ({}),
    ...more,
  })
const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String() }, closed), key: 'id' })

function faultsOf(...plugins: Plugin[]): readonly string[] {
  try {
    plan(plugins)
    return []
  } catch (error) {
    return (error as { faults: readonly string[] }).faults
  }
}

describe('plan', () => {
  it('refuses a schema that clients in other languages, hosts or model servers would refuse, of arguments, results and errors', () => {
    const odd = Type.String({ pattern: '^(?!-)' })
    const Odd = defineError('ODD', { status: 400, description: 'Odd.', details: Type.Object({ odd }), message: () => 'Odd.' })
    const required = { type: 'object', properties: { n: { type: 'integer', default: 1 } }, required: ['n'], additionalProperties: false }
    const faults = faultsOf(
      plugin('one', {
        tools: [tool('ask_one', {}, { input: Type.Object({ odd }, closed) }), tool('ask_two', {}, { output: Type.Object({ odd }) })],
      }),
      plugin('two', { tools: [tool('ask_three', {}, { errors: [Odd] }), tool('ask_four', {}, { input: required })] }),
      plugin('three', {
        tools: [tool('ask_five', {}, { input: Type.Object({ a: Type.String({ pattern: '^a+$', maxLength: 5 }) }, closed) })],
      }),
    )
    const expected = [
      /^plugin 'one' failed in plan: tool ask_one: input \/properties\/odd: the pattern \^\(\?!-\) has look-around/,
      /^plugin 'one' failed in plan: tool ask_two: output \/properties\/odd: the pattern/,
      /^plugin 'two' failed in plan: tool ask_three: output \/properties\/odd: the pattern/,
      /^plugin 'two' failed in plan: tool ask_four: input \/: n has a default and is required/,
      /^plugin 'three' failed in plan: tool ask_five: input \/properties\/a: the pattern \^a\+\$ is open/,
    ]
    assert.equal(faults.length, expected.length)
    for (const [index, what] of expected.entries()) assert.match(faults[index] ?? '', what)
  })

  it('accepts plugins that fit together and starts providers before their users', () => {
    const clockwork = defineService<{ tick(): void }>('clockwork')
    const user = plugin('user', { tools: [tool('use_it', { clockwork })] })
    const owner = plugin('owner', { provides: [provide(clockwork, { create: () => ({ tick() {} }) })] })
    assert.deepEqual(
      plan([user, owner]).plugins.map((p) => p.id),
      ['owner', 'user'],
    )
  })

  it('collects every fault of every plugin and throws them once', () => {
    const faults = faultsOf(plugin('Bad Id'), plugin('a', { tools: [tool('NotSnake')] }), plugin('b', { sdk: '^9.0.0' }))
    assert.equal(faults.length, 3)
  })

  it('names the plugin and the phase in each fault', () => {
    assert.match(faultsOf(plugin('b', { sdk: '^9.0.0' }))[0] ?? '', /^plugin 'b' failed in plan: it needs @gateway\/sdk \^9\.0\.0/)
  })

  it('refuses a range that is no semver range', () => {
    assert.match(faultsOf(plugin('b', { sdk: 'latest!' }))[0] ?? '', /semver range/)
  })

  it('refuses commands whose name is taken, is the gateway’s own or is not kebab-case', () => {
    const command = (name: string) =>
      defineCommand(name, { summary: 'Does it.', load: () => Promise.reject(new Error('a plan runs no code')) })
    assert.deepEqual(faultsOf(plugin('a', { commands: [command('shelf'), command('shelf-show')] }), plugin('b')), [])
    assert.deepEqual(
      faultsOf(
        plugin('a', { commands: [command('shelf'), command('status')] }),
        plugin('b', { commands: [command('shelf'), command('Shelf_Show')] }),
      ),
      [
        "plugin 'b' failed in plan: command shelf is taken by plugin 'a'; rename it, or switch one of the two off",
        "plugin 'a' failed in plan: command status is one of the gateway’s own; rename it",
        "plugin 'b' failed in plan: command Shelf_Show: the name must be kebab-case",
      ],
    )
  })

  it('refuses ids, names and bindings that are taken', () => {
    const first = plugin('a', { tools: [tool('same_name', {}, { rest: 'GET /api/x' })], collections: [notes] })
    const second = plugin('b', { tools: [tool('same_name', {}, { rest: 'GET /api/x' })], collections: [notes] })
    const faults = faultsOf(first, second, plugin('a'))
    for (const what of [
      /operation same_name is taken by plugin 'a'/,
      /GET \/api\/x is taken/,
      /collection notes is taken/,
      /plugin id a is listed twice/,
    ]) {
      assert.ok(
        faults.some((fault) => what.test(fault)),
        `${what} in ${faults.join('\n')}`,
      )
    }
  })

  it('refuses one contribution that is listed twice; several to one point are fine', () => {
    const point = defineContribution<string>('a.point')
    const [one, two] = [contribute(point, { create: () => 'one' }), contribute(point, { create: () => 'two' })]
    assert.deepEqual(faultsOf(plugin('a', { contributes: [one, two] })), [])
    assert.deepEqual(faultsOf(plugin('a', { contributes: [one, two, one] })), [
      "plugin 'a' failed in plan: a contribution to a.point is listed twice",
    ])
  })

  it('treats bindings that differ only in parameter names as one', () => {
    const input = Type.Object({ a: Type.String(), b: Type.String() }, closed)
    const one = tool('one', {}, { input, rest: 'GET /api/x/:a' })
    const two = tool('two', {}, { input, rest: 'GET /api/x/:b' })
    assert.equal(faultsOf(plugin('a', { tools: [one, two] })).length, 1)
  })

  it('keeps collections and settings private to their plugin and says what to ask for', () => {
    const config = defineConfig('owner', Empty)
    const owner = plugin('owner', { collections: [notes], config })
    const faults = faultsOf(owner, plugin('reader', { tools: [tool('peek', { notes, config })] }))
    assert.equal(faults.length, 2)
    for (const fault of faults) assert.match(fault, /private to plugin 'owner'; ask for a service/)
  })

  it('refuses a required service nobody provides, and accepts an optional one', () => {
    const missing = defineService<object>('missing')
    assert.match(faultsOf(plugin('a', { tools: [tool('t', { missing })] }))[0] ?? '', /no running plugin provides the service missing/)
    assert.deepEqual(faultsOf(plugin('a', { tools: [tool('t', { missing: optional(missing) })] })), [])
  })

  it('lets only the owner emit an event, and anyone hear it', () => {
    const happened = defineEvent('a.happened', Empty)
    const owner = plugin('a', { events: [happened], tools: [tool('t', { happened })] })
    const hearer = plugin('b', { on: [on(happened, { handle: async () => {} })] })
    assert.deepEqual(faultsOf(owner, hearer), [])
    assert.match(faultsOf(owner, plugin('c', { tools: [tool('u', { happened })] }))[0] ?? '', /emitted by its owner only \(a\)/)
    assert.match(
      faultsOf(plugin('a', { tools: [tool('t', { happened })] }))[0] ?? '',
      /event a\.happened is not listed by any plugin; list it/,
    )
  })

  it('prints the path of a circle between plugins', () => {
    const one = defineService<object>('one')
    const two = defineService<object>('two')
    const a = plugin('a', { provides: [provide(one, { uses: { two }, create: () => ({}) })] })
    const b = plugin('b', { provides: [provide(two, { uses: { one }, create: () => ({}) })] })
    assert.match(faultsOf(a, b).join('\n'), /a → b → a/)
  })

  it('keeps what belongs to a call out of process services', () => {
    const forever = defineService<object>('forever', 'process')
    const a = plugin('a', {
      collections: [notes],
      provides: [provideProcess(forever, { uses: { notes, atomically }, create: () => ({}) })],
    })
    assert.equal(faultsOf(a).length, 2)
  })

  it('refuses an open input schema, a tenantId argument, a GET that changes something, an unknown path parameter', () => {
    const faults = faultsOf(
      plugin('a', {
        tools: [
          tool('open_input', {}, { input: Type.Object({}) }),
          tool('asks_tenant', {}, { input: Type.Object({ tenantId: Type.String() }, closed) }),
          tool('get_writes', {}, { effect: 'write', rest: 'GET /api/w' }),
          tool('path_lies', {}, { rest: 'GET /api/p/:nope' }),
        ],
      }),
    )
    for (const name of ['open_input', 'asks_tenant', 'get_writes', 'path_lies']) {
      assert.ok(
        faults.some((fault) => fault.includes(name)),
        name,
      )
    }
  })

  it('refuses one error code with two statuses', () => {
    const make = (status: number) => defineError('ODD', { status, description: 'Odd.', details: Empty, message: () => 'odd' })
    const a = plugin('a', { tools: [tool('t', {}, { errors: [make(400)] })] })
    const b = plugin('b', { tools: [tool('u', {}, { errors: [make(409)] })] })
    assert.match(faultsOf(a, b)[0] ?? '', /ODD has status 409 here and 400 in plugin 'a'/)
  })

  it('refuses a job without an interval and a job of another plugin', () => {
    const job = defineJob('a.job', { everySeconds: 0, run: async () => {} })
    assert.match(faultsOf(plugin('a', { jobs: [job] }))[0] ?? '', /everySeconds/)
    const good = defineJob('b.job', { everySeconds: 5, run: async () => {} })
    assert.match(
      faultsOf(plugin('b', { jobs: [good] }), plugin('c', { tools: [tool('t', { good })] }))[0] ?? '',
      /not a job of this plugin/,
    )
  })

  it('lets anyone collect and contribute', () => {
    const point = defineContribution<string>('a.point')
    const route = defineRoute({
      name: 'a.list',
      description: 'A route.',
      capability: 'read',
      effect: 'read',
      rest: 'GET /api/a',
      input: Empty,
      output: Empty,
      uses: { point },
      handle: async () => ({}),
    })
    assert.deepEqual(faultsOf(plugin('a', { routes: [route] })), [])
  })

  it('names a metric that is not called after its plugin, that another plugin has, or that is used and not listed', () => {
    const metric = (name: string) => defineMetric(name, { kind: 'counter', description: 'How many.', unit: '{one}' })
    const own = metric('gateway.my_pond.eaten')
    assert.deepEqual(faultsOf(plugin('my-pond', { metrics: [own], tools: [tool('eat', { own })] })), [])
    const shared = metric('gen_ai.client.token.usage')
    assert.deepEqual(
      faultsOf(
        plugin('pond', { metrics: [metric('gateway.calls'), shared] }),
        plugin('lake', { metrics: [shared], tools: [tool('drink', { own })] }),
      ),
      [
        "plugin 'pond' failed in plan: metric gateway.calls: its name must begin with gateway.pond.",
        "plugin 'lake' failed in plan: metric gen_ai.client.token.usage is taken by plugin 'pond'; rename it",
        "plugin 'lake' failed in plan: tool drink uses metric gateway.my_pond.eaten, which it does not list in its metrics",
      ],
    )
  })
})
