import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { claimGate } from '@gateway/plugin-tasks/api'
import * as sdk from '@gateway/sdk'
import {
  closed,
  contribute,
  defineContribution,
  defineEvent,
  definePlugin,
  defineService,
  defineTool,
  on,
  type Plugin,
  provide,
  ToolError,
  Type,
} from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { secondCopy } from './second-copy.ts'

const copy = secondCopy()
after(() => copy.remove())

/** Everything that crosses between a plugin, the kernel and other plugins, with refs made by this copy. */
const foreign = copy.write(
  'foreign.mjs',
  `import {
  atomically, BadRequest, closed, contribute, defineCollection, defineConfig, defineContribution, defineError, defineEvent, defineJob,
  definePlugin, defineService, defineTool, DuplicateKey, isToolError, now, NotFound, on, optional, provide, toolbox, Type, withContent,
} from '@gateway/sdk'

const config = defineConfig('foreign', Type.Object({ word: Type.Optional(Type.String({ description: 'A word.' })) }, closed))
const things = defineCollection('foreign.things', {
  schema: Type.Object({ id: Type.String(), at: Type.Optional(Type.String()) }, closed),
  key: 'id',
})
const Odd = defineError('ODD', { status: 418, description: 'It is odd.', details: Type.Object({ id: Type.String() }), message: ({ id }) => id + ' is odd.' })
const told = defineEvent('foreign.told', Type.Object({ id: Type.String() }))
const heard = []
const tool = (name, effect, uses, handle, more = {}) => defineTool({
  name, description: 'Returns what came of it.', capability: effect === 'read' ? 'read' : 'work', effect,
  input: Type.Object({ id: Type.Optional(Type.String()) }, closed), output: Type.Object({}), uses, handle, ...more,
})

export default definePlugin({
  id: 'foreign', sdk: '^1.0.0', description: 'Is written against another copy of the SDK.',
  config, collections: [things], events: [told],
  tools: [
    tool('foreign_put', 'write', { things, told, atomically }, ({ id }, { things, told, atomically }) => atomically(async (tx) => {
      await things.in(tx).insert({ id })
      await things.in(tx).updateOne(id, { set: { at: now() } })
      told.emit({ id })
      return {}
    })),
    tool('foreign_missing', 'read', {}, async ({ id }) => { throw NotFound({ what: 'thing', id }) }),
    tool('foreign_bad', 'read', {}, async () => { throw BadRequest({ message: 'No.', field: 'id' }) }),
    tool('foreign_odd', 'read', {}, async ({ id }) => { throw Odd({ id }) }, { errors: [Odd] }),
    tool('foreign_twice', 'write', { things }, async ({ id }, { things }) => {
      try {
        await things.insert({ id })
        return { taken: false }
      } catch (error) {
        return { taken: isToolError(error) && error.code === DuplicateKey.code }
      }
    }),
    tool('foreign_shown', 'read', { config }, async (_, { config }) => withContent({ word: config.word }, [{ type: 'text', text: 'shown' }])),
    tool('foreign_asks', 'read', {
      service: defineService('here.service'), missing: optional(defineService('nowhere.service')), tools: toolbox,
    }, async (_, { service, missing, tools }) => ({ said: service.say(), missing: missing === undefined, tools: (await tools.get('here_collects'))?.name ?? null })),
    tool('foreign_heard', 'read', {}, async () => ({ heard })),
  ],
  jobs: [defineJob('foreign.job', { everySeconds: 3600, uses: { things }, run: ({ things }) => things.deleteMany({}) })],
  provides: [provide(defineService('foreign.service'), { uses: { things }, create: ({ things }) => ({ count: () => things.count() }) })],
  contributes: [
    contribute(defineContribution('here.point'), { create: () => 'from the other copy' }),
    contribute(defineContribution('${claimGate.id}'), { create: () => ({ check: async () => ({ open: false, reason: 'Closed by the other copy.' }) }) }),
  ],
  on: [on(defineEvent('here.called', Type.Object({})), { handle: async () => void heard.push('here.called') })],
})
`,
)

const service = defineService<{ say(): string }>('here.service')
const point = defineContribution<string>('here.point')
const called = defineEvent('here.called', Type.Object({}))
const heard: string[] = []
const input = Type.Object({}, closed)
const spec = { description: 'Returns it.', capability: 'read', effect: 'read', input, output: Type.Object({}) } as const

const here = definePlugin({
  id: 'here',
  sdk: '^1.0.0',
  description: 'Is written against the gateway’s own copy of the SDK.',
  tools: [defineTool({ ...spec, name: 'here_collects', uses: { point }, handle: async (_, { point }) => ({ point }) })],
  provides: [provide(service, { create: () => ({ say: () => 'from the gateway’s copy' }) })],
  on: [on(defineEvent('foreign.told', Type.Object({ id: Type.String() })), { handle: async ({ id }) => void heard.push(id) })],
  contributes: [contribute(point, { create: () => 'from here' })],
})

const asker = definePlugin({
  id: 'asker',
  sdk: '^1.0.0',
  description: 'Uses a service of the plugin with the other copy.',
  events: [called],
  tools: [
    defineTool({
      ...spec,
      name: 'here_asks',
      uses: { foreign: defineService<{ count(): Promise<number> }>('foreign.service'), called },
      async handle(_, { foreign, called }) {
        called.emit({})
        return { count: await foreign.count() }
      },
    }),
  ],
})

const start = (more: readonly Plugin[] = []) =>
  startTestGateway({ plugins: [...more, here, asker], config: { [foreign]: { word: 'foreign' } } })

test('the plugin’s copy of the SDK is another one', async () => {
  const other = (await import(pathToFileURL(`${copy.folder}/node_modules/@gateway/sdk/dist/index.js`).href)) as typeof sdk
  assert.notEqual(other.ToolError, ToolError)
  assert.ok(sdk.isToolError(other.NotFound({ what: 'x', id: 'y' })), 'errors are known by their brand')
  assert.ok(other.isToolError(sdk.NotFound({ what: 'x', id: 'y' })))
  assert.notEqual(other.atomically, sdk.atomically)
})

test('errors of the other copy reach the caller as what they are, common and declared ones', async () => {
  await using gateway = await start()
  await assert.rejects(gateway.call('foreign_missing', { id: 'a' }), { code: 'NOT_FOUND', status: 404 })
  await assert.rejects(gateway.call('foreign_bad'), { code: 'BAD_REQUEST', status: 400, message: 'No.' })
  await assert.rejects(gateway.call('foreign_odd', { id: 'a' }), { code: 'ODD', status: 418, message: 'a is odd.' })
})

test('its collections, transactions, settings, content, jobs and the kernel’s errors work', async () => {
  await using gateway = await start()
  await gateway.call('foreign_put', { id: 'a' })
  assert.deepEqual(await gateway.call('foreign_twice', { id: 'a' }), { taken: true })
  assert.deepEqual(await gateway.call('foreign_shown'), { word: 'foreign' })
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'foreign_shown', arguments: {} } }
  const headers = { accept: 'application/json, text/event-stream' }
  const { result } = (await gateway.inject({ method: 'POST', url: '/mcp', headers, body })).json()
  assert.deepEqual(result.content, [{ type: 'text', text: 'shown' }])
  await gateway.runJob('foreign.job')
  assert.deepEqual((await gateway.documents())['foreign.things'], [])
})

test('services, contributions and events are met by their ids, in both directions', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('foreign_asks'), { said: 'from the gateway’s copy', missing: true, tools: 'here_collects' })
  assert.deepEqual(await gateway.call('here_collects'), { point: ['from here', 'from the other copy'] })
  await gateway.call('foreign_put', { id: 'b' })
  assert.deepEqual(await gateway.call('here_asks'), { count: 1 })
  // A stop waits for the listeners.
  await gateway.restart()
  assert.deepEqual(heard.slice(-1), ['b'])
  assert.deepEqual(await gateway.call('foreign_heard'), { heard: ['here.called'] })
})

test('it can take part in a built-in family', async () => {
  await using gateway = await start(standardPlugins)
  await gateway.call('tasks_create', { repo: 'r', title: 'T', priority: 'P1' })
  assert.equal((await gateway.call('tasks_claim', { repo: 'r', claimedBy: 'me' })).claimed, false)
})
