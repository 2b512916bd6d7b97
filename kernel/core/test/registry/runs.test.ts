import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type CallRecord,
  callObserver,
  closed,
  contribute,
  defineCollection,
  defineEvent,
  defineJob,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  on,
  Type,
  throughout,
  withContent,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const observed: CallRecord[] = []
const closings = defineCollection('runs.closings', {
  schema: Type.Object({ closingId: Type.String() }, closed),
  key: 'closingId',
})
const happened = defineEvent('runs.happened', { payload: Type.Object({}) })
const about = { description: 'd', mimeType: 'text/plain' } as const
const tool = { description: 'd', capability: 'read', effect: 'read', input: Type.Object({}, closed), output: Type.Object({}) } as const
const wrong = { uri: 'runs://wrong', text: 'a', blob: 'Yg==' } as unknown as { uri: string; text: string }

const plugin = definePlugin({
  id: 'runs',
  sdk: '^1.0.0',
  description: 'Asks for audit records wherever plugin code runs.',
  events: [happened],
  tools: [
    defineTool({
      ...tool,
      name: 'runs_emit',
      uses: { happened },
      async handle(_input, { happened }) {
        happened.emit({})
        return {}
      },
    }),
    defineTool({ ...tool, name: 'runs_both', handle: async () => withContent({}, [{ type: 'resource', resource: wrong }]) }),
  ],
  on: [on(happened, { handle: async (_payload, _uses, ctx) => ctx.audit('runs.heard') })],
  jobs: [
    defineJob('runs.job', {
      everySeconds: 86_400,
      async run(_uses, ctx) {
        ctx.audit('runs.jobbed', { n: 1 })
      },
    }),
    defineJob('runs.fails', {
      everySeconds: 86_400,
      async run(_uses, ctx) {
        ctx.audit('runs.done')
        ctx.audit('runs.tried', undefined, { always: true })
        throw new Error('no')
      },
    }),
  ],
  resources: [
    defineResource({
      ...about,
      uri: 'runs://one',
      name: 'one',
      async read(_variables, _uses, ctx) {
        ctx.audit('runs.read')
        return [{ uri: 'runs://one', text: 'one' }]
      },
    }),
    defineResource({ ...about, uri: 'runs://wrong', name: 'wrong', read: async () => [wrong] }),
  ],
  prompts: [
    definePrompt({
      name: 'runs_prompt',
      description: 'd',
      arguments: [{ name: 'word', description: 'w' }],
      async render(_args, _uses, ctx) {
        ctx.audit('runs.prompted')
        return [{ role: 'user', text: 'hi' }]
      },
      complete: {
        async word(_typed, _uses, ctx) {
          ctx.audit('runs.completed')
          return []
        },
      },
    }),
  ],
  contributes: [
    contribute(callObserver, {
      uses: { closings: throughout(closings) },
      create: ({ closings }) => ({
        observe: (call) => void observed.push(call),
        close: async () => void (await closings.of('local').insert({ closingId: `after ${observed.at(-1)?.tool}` })),
      }),
    }),
  ],
  collections: [closings],
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [plugin] })
})
after(() => gateway.stop())

const rpc = async (method: string, params: object) =>
  (await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method, params } })).json()

test('what a job, a listener, a resource, a prompt or a completion asks to be audited is written, and an observer sees the run', async () => {
  await gateway.runJob('runs.job')
  await gateway.runJob('runs.fails')
  await rpc('resources/read', { uri: 'runs://one' })
  await rpc('prompts/get', { name: 'runs_prompt' })
  await rpc('completion/complete', { ref: { type: 'ref/prompt', name: 'runs_prompt' }, argument: { name: 'word', value: '' } })
  await gateway.call('runs_emit')
  while (!observed.some(({ via }) => via === 'event')) await new Promise(setImmediate)
  const written = (await gateway.audit()).map(({ name, tool, decision, via, details }) =>
    [name, tool, decision, via, details].filter(Boolean).map(String),
  )
  assert.deepEqual(written, [
    ['runs.jobbed', 'job runs.job', 'ok', 'job', '[object Object]'],
    ['runs.tried', 'job runs.fails', 'INTERNAL_ERROR', 'job'],
    ['runs.read', 'resource runs://one', 'ok', 'mcp'],
    ['runs.prompted', 'prompt runs_prompt', 'ok', 'mcp'],
    ['runs.completed', 'completion of runs_prompt', 'ok', 'mcp'],
    ['runs.heard', 'on runs.happened', 'ok', 'event'],
  ])
  assert.deepEqual(
    observed.map(({ tool, outcome }) => `${tool}: ${outcome}`),
    [
      'job runs.job: ok',
      'job runs.fails: INTERNAL_ERROR',
      'resource runs://one: ok',
      'prompt runs_prompt: ok',
      'completion of runs_prompt: ok',
      'runs_emit: ok',
      'on runs.happened: ok',
    ],
  )
})

test('an embedded resource with both text and blob is a fault of its plugin, in a result and in a resource', async () => {
  await assert.rejects(gateway.call('runs_both'), { code: 'INTERNAL_ERROR' })
  assert.equal((await rpc('resources/read', { uri: 'runs://wrong' })).error.data.code, 'INTERNAL_ERROR')
  const faults = gateway.logs.filter(({ err }) => /exactly one of text and blob/.test(String((err as Error | undefined)?.message)))
  assert.deepEqual(
    faults.map(({ plugin, operation }) => [plugin, operation]),
    [
      ['runs', 'runs_both'],
      ['runs', 'resource runs://wrong'],
    ],
  )
})

test('an observer knows who called what with which arguments, and stores what it holds once nothing more is called', async () => {
  await gateway.call('runs_emit', {}, { as: { id: 'ada', kind: 'user', role: 'member', tenantId: 'acme' } })
  const { kind, principal, args, tenantId } = observed.findLast(({ tool }) => tool === 'runs_emit') as CallRecord
  assert.deepEqual([kind, principal.id, args, tenantId], ['tool', 'ada', {}, 'acme'])
  assert.equal(observed.find(({ tool }) => tool === 'job runs.job')?.kind, 'run')
  await gateway.restart()
  assert.deepEqual((await gateway.documents())['runs.closings'], [{ closingId: `after ${observed.at(-1)?.tool}` }])
})
