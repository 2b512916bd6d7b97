import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import { startTestGateway } from '@gateway/testing'

/** A pace whose clock advances only with the work, by a fixed time per piece. */
function paced(eachMs: number) {
  let now = 0
  const begun: string[] = []
  const pace = new Pace(() => now)
  const call = (tenant: string) =>
    pace.begin(tenant, async () => {
      begun.push(tenant)
      now += eachMs
      return tenant
    })
  return { begun, call }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('calls begin at once while there is time in this turn of the event loop; the rest wait for the next', async () => {
  const { begun, call } = paced(2)
  const calls = Array.from({ length: 7 }, () => call('one'))
  assert.equal(begun.length, 3)
  await turn()
  assert.equal(begun.length, 6)
  assert.deepEqual(await Promise.all(calls), Array(7).fill('one'))
})

test('a call that takes longer than a turn has does not keep the next from beginning in its own', async () => {
  const { begun, call } = paced(100)
  const calls = [call('one'), call('one'), call('one')]
  assert.equal(begun.length, 1)
  await turn()
  assert.equal(begun.length, 2)
  await Promise.all(calls)
})

test('those that wait begin in turn of their tenants, each tenant’s in the order in which they came', async () => {
  const { begun, call } = paced(100)
  const calls = ['many', 'many', 'many', 'many', 'few', 'many', 'few'].map(call)
  await Promise.all(calls)
  assert.deepEqual(begun, ['many', 'many', 'few', 'many', 'few', 'many', 'many'])
})

test('what fails fails alone', async () => {
  const pace = new Pace(() => 0)
  await assert.rejects(
    pace.begin('one', () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await pace.begin('one', async () => 1), 1)
})

test('a gateway begins the call of a tenant before most of those that another has sent together', async () => {
  const begun: string[] = []
  const busy = defineTool({
    name: 'busy_compute',
    description: 'Holds up the event loop.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    async handle(_input, _uses, { tenantId }) {
      begun.push(tenantId)
      for (const until = performance.now() + 20; performance.now() < until; );
      return {}
    },
  })
  const plugin = definePlugin({ id: 'busy', sdk: '^1.0.0', description: 'A tool that computes.', tools: [busy] })
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const as = (tenantId: string): Principal => ({ id: 'someone', kind: 'user', role: 'member', tenantId })
  await Promise.all(
    ['many', 'many', 'many', 'many', 'many', 'few'].map((tenantId) => gateway.call('busy_compute', {}, { as: as(tenantId) })),
  )
  assert.ok(begun.indexOf('few') <= 2, begun.join())
})
