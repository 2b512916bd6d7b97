import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { describe, it } from 'node:test'
import { closed, defineCollection, defineJob, definePlugin, defineTool, Type, tenantAdmin, toolbox } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

/** A plugin with a job that begins and continues until it is told to end; `begun` are the tenants of its runs. */
function family(spec: { overlapping?: boolean; activeTenantsOnly?: boolean } = {}) {
  const begun: string[] = []
  const news = new EventEmitter()
  const marks = defineCollection('family', { schema: Type.Object({ id: Type.String() }), key: 'id' })
  const held = defineJob('family.job', {
    everySeconds: 60,
    ...spec,
    uses: { toolbox },
    async run({ toolbox }, ctx) {
      begun.push(ctx.tenantId)
      news.emit('begun', ctx.signal)
      await once(news, 'end')
      await toolbox.call('leave_mark', { id: ctx.newId('mark-') })
    },
  })
  const leaveMark = defineTool({
    name: 'leave_mark',
    description: 'Leaves a mark.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ id: Type.String() }, closed),
    output: Type.Object({}),
    uses: { marks },
    handle: async ({ id }, { marks }) => marks.insert({ id }),
  })
  const suspend = defineTool({
    name: 'suspend',
    description: 'Makes a tenant and suspends it.',
    capability: 'operator',
    effect: 'write',
    input: Type.Object({ id: Type.String() }, closed),
    output: Type.Object({}),
    uses: { tenantAdmin },
    async handle({ id }, { tenantAdmin }) {
      await tenantAdmin.create({ name: id, plan: 'free', tenantId: id })
      return tenantAdmin.suspend(id)
    },
  })
  const plugin = definePlugin({
    id: 'family',
    sdk: '^1.0.0',
    description: 'Holds a job.',
    collections: [marks],
    tools: [leaveMark, suspend],
    jobs: [held],
  })
  return { plugin, begun, news }
}

describe('jobs', () => {
  it('run one at a time in a tenant: a second run joins the one under way', async () => {
    const { plugin, begun, news } = family()
    await using gateway = await startTestGateway({ plugins: [plugin] })
    const runs = [gateway.runJob('family.job'), gateway.runJob('family.job')]
    await new Promise(setImmediate)
    news.emit('end')
    await Promise.all(runs)
    assert.deepEqual(begun, ['local'])
  })

  it('that may overlap begin at each interval, in all tenants at once', async () => {
    const { plugin, begun, news } = family({ overlapping: true })
    await using gateway = await startTestGateway({ plugins: [plugin] })
    await gateway.call('leave_mark', { id: 'here' }, { as: { tenantId: 'acme' } })
    const runs = [gateway.runJob('family.job'), gateway.runJob('family.job')]
    await new Promise(setImmediate)
    assert.deepEqual([...begun].sort(), ['acme', 'acme', 'local', 'local'])
    news.emit('end')
    await Promise.all(runs)
  })

  it('leave suspended tenants out when they say so', async () => {
    for (const [activeTenantsOnly, expected] of [
      [true, ['local']],
      [false, ['local', 'quiet']],
    ] as const) {
      const { plugin, begun, news } = family({ activeTenantsOnly, overlapping: true })
      await using gateway = await startTestGateway({ plugins: [plugin] })
      await gateway.call('leave_mark', { id: 'here' }, { as: { tenantId: 'quiet' } })
      await gateway.call('suspend', { id: 'quiet' })
      const run = gateway.runJob('family.job')
      await new Promise(setImmediate)
      news.emit('end')
      await run
      assert.deepEqual([...begun].sort(), expected)
    }
  })

  it('hear of a stop, and what they call on their way out is not refused', async () => {
    const { plugin, news } = family()
    const gateway = await startTestGateway({ plugins: [plugin] })
    const begun = once(news, 'begun')
    const run = gateway.runJob('family.job')
    const [signal] = (await begun) as [AbortSignal]
    signal.addEventListener('abort', () => news.emit('end'))
    await gateway.stop()
    await run
    assert.deepEqual(
      gateway.logs.filter(({ level }) => Number(level) >= 40),
      [],
    )
  })

  it('do not keep the gateway from stopping', async () => {
    const { plugin, news } = family()
    const gateway = await startTestGateway({ plugins: [plugin], env: { GATEWAY_STOP_TIMEOUT_MS: '100' } })
    const begun = once(news, 'begun')
    void gateway.runJob('family.job')
    await begun
    await gateway.stop()
    assert.ok(gateway.logs.some(({ msg }) => /running jobs and calls took longer than 100 ms/.test(String(msg))))
  })
})
