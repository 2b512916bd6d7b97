import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Operation, Route } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { sampleValue } from '../support/sample-arguments.ts'
import { type Args, type KeyedAnswer, type KeyedCall, keyedTransports, requestWithKey } from './keyed-transports.ts'

/**
 * Every write tool and every write route, called again with its idempotency key: one effect and one answer. The catalogue is walked, so
 * a new operation is covered without being named here.
 */
const tools = standardPlugins
  .flatMap(({ tools }) => tools)
  // A tool that calls the named one passes the key on.
  .filter(({ effect, forwardsTo }) => effect !== 'read' && forwardsTo === undefined)
const routes = standardPlugins
  .flatMap(({ routes }) => routes)
  // A raw route answers streams and protocols of their own, and ignores keys.
  .filter((route) => route.effect !== 'read' && !('raw' in route))

/** Codes that do not use up a key: the call may be repeated with it. */
const UNUSED = ['BAD_REQUEST', 'FORBIDDEN', 'UNAVAILABLE', 'RATE_LIMITED', 'INPUT_REQUIRED']
const ADMIN = 'an-admin-token-of-the-tests'

describe('a write that is called again with its idempotency key has one effect and one answer', () => {
  let gateway: TestGateway
  let calls = 0
  let faces: Awaited<ReturnType<typeof keyedTransports>>
  before(async () => {
    gateway = await startTestGateway({ plugins: standardPlugins, env: { ADMIN_API_TOKEN: ADMIN } })
    faces = await keyedTransports(gateway)
  })
  after(() => gateway.stop())

  /** Calls with `first`, then with each of `again`. */
  async function callAgain(operation: Operation, args: Args, first: KeyedCall, again: readonly KeyedCall[]): Promise<void> {
    const { name } = operation
    const key = `${name}-${++calls}`
    const answer = await first(name, args, key)
    const isUnused = !answer.ok && UNUSED.includes(String(answer.value.code))
    const stored = await effects(gateway)
    for (const call of isUnused ? again.slice(0, 1) : again) assertReplay(await call(name, args, key), answer, isUnused)
    if (isUnused) return
    assert.deepEqual(await effects(gateway), stored, 'the repeated calls change nothing')
    const other = changed(operation, args)
    if (other === undefined) return
    for (const call of again) assert.equal((await call(name, other, key)).value.code, 'IDEMPOTENCY_KEY_REUSED')
  }

  for (const tool of tools) {
    it(`${tool.name} with the required arguments, first over REST`, () => {
      const { rest, handshake, stateless } = faces
      return callAgain(tool, sampleArguments(tool, false), rest, [rest, handshake, stateless])
    })
    it(`${tool.name} with all arguments, first over MCP`, () => {
      const { rest, handshake, stateless } = faces
      return callAgain(tool, sampleArguments(tool, true), stateless, [handshake, rest])
    })
  }

  for (const route of routes) {
    for (const all of [false, true]) {
      it(`${route.rest} with ${all ? 'all' : 'the required'} arguments`, () => {
        const call: KeyedCall = (_name, args, key) => requestWithKey(gateway, requestOf(route, args), key)
        return callAgain(route, sampleArguments(route, all), call, [call])
      })
    }
  }
})

function assertReplay(again: KeyedAnswer, { ok, value }: KeyedAnswer, isUnused: boolean): void {
  assert.deepEqual([again.ok, again.replayed], [ok, !isUnused], `${JSON.stringify(value)} then ${JSON.stringify(again)}`)
  if (!again.omitted && !isUnused) assert.deepEqual(again.value, value)
}

function sampleArguments({ input }: Operation, all: boolean): Args {
  const { idempotencyKey: _, ...args } = sampleValue(input, all) as Record<string, unknown>
  return args
}

/** A request of a route: its path parameters filled in, the rest in the body. */
function requestOf({ rest }: Route, args: Args) {
  const [method = '', path = ''] = rest.split(' ')
  const body = { ...args }
  const url = path.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => {
    delete body[name]
    return encodeURIComponent(String(args[name]))
  })
  return { method, url, body, headers: { 'x-admin-token': ADMIN } }
}

/** Everything that the tenant has in the store, except for what every call counts. */
async function effects(gateway: TestGateway): Promise<object> {
  const { 'gateway.call-keys': _keys, 'dashboard.firsts': _firsts, ...documents } = await gateway.documents()
  return Object.fromEntries(Object.entries(documents).filter(([id]) => !id.startsWith('observability') && !id.startsWith('usage')))
}

/** Arguments that differ from the given ones, if the operation takes any text outside its path. */
function changed({ input, rest }: Operation, args: Args): Args | undefined {
  const { properties = {} } = input as { properties?: Readonly<Record<string, { type?: string; enum?: unknown; const?: unknown }>> }
  const text = Object.entries(properties).find(
    ([name, { type, enum: values, const: value }]) =>
      type === 'string' && values === undefined && value === undefined && args[name] !== undefined && !rest?.includes(`:${name}`),
  )
  return text && { ...args, [text[0]]: `${args[text[0]]}x` }
}
