import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Tool } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { sampleValue } from '../support/sample-arguments.ts'

/**
 * Every write tool, called twice with one idempotency key: one effect and one answer. The catalogue is walked, so a new tool is covered
 * without being named here.
 */
const writes = standardPlugins
  .flatMap(({ tools }) => tools)
  // A tool that calls the named one passes the key on.
  .filter(({ effect, forwardsTo }) => effect !== 'read' && forwardsTo === undefined)

/** Codes that do not use up a key: the call may be repeated with it. */
const UNUSED = ['BAD_REQUEST', 'FORBIDDEN', 'UNAVAILABLE', 'RATE_LIMITED', 'INPUT_REQUIRED']

describe('a write tool called twice with one idempotency key has one effect and one answer', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: standardPlugins })
  })
  after(() => gateway.stop())

  const call = (name: string, body: object, key: string) =>
    gateway.inject({ method: 'POST', url: `/api/tools/${name}`, headers: { 'idempotency-key': key }, body })

  for (const tool of writes) {
    for (const all of [false, true]) {
      it(`${tool.name} with ${all ? 'all' : 'the required'} arguments`, async () => {
        const { idempotencyKey: _, ...args } = sampleValue(tool.input, all) as Record<string, unknown>
        const key = `${tool.name}-${all}`
        const first = await call(tool.name, args, key)
        const before = await effects(gateway)
        const second = await call(tool.name, args, key)
        assert.equal(second.status, first.status, second.body)
        if (UNUSED.includes(first.json().code)) {
          assert.equal(second.headers['idempotency-replayed'], undefined)
          return
        }
        assert.equal(second.headers['idempotency-replayed'], 'true', `${first.body} then ${second.body}`)
        if (second.headers['idempotency-omitted'] === undefined) assert.deepEqual(second.json(), first.json())
        assert.deepEqual(await effects(gateway), before, 'the repeated call changes nothing')
        const other = changed(tool, args)
        if (other === undefined) return
        const third = await call(tool.name, other, key)
        assert.equal(third.status, 409, third.body)
        assert.equal(third.json().code, 'IDEMPOTENCY_KEY_REUSED')
      })
    }
  }
})

/** Everything that the tenant has in the store, except for what every call counts. */
async function effects(gateway: TestGateway): Promise<object> {
  const { 'gateway.call-keys': _keys, ...documents } = await gateway.documents()
  return Object.fromEntries(Object.entries(documents).filter(([id]) => !id.startsWith('observability') && !id.startsWith('usage')))
}

/** Arguments that differ from the given ones, if the tool takes any text. */
function changed(tool: Tool, args: Readonly<Record<string, unknown>>): object | undefined {
  const { properties = {} } = tool.input as { properties?: Readonly<Record<string, { type?: string; enum?: unknown; const?: unknown }>> }
  const text = Object.entries(properties).find(
    ([name, { type, enum: values, const: value }]) =>
      name !== 'idempotencyKey' && type === 'string' && values === undefined && value === undefined && args[name] !== undefined,
  )
  return text && { ...args, [text[0]]: `${args[text[0]]}x` }
}
