import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Admission } from '../../core/src/registry/admission.ts'
import { LoadShedder } from '../src/load-shedder.ts'
import { assertRecord, send } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin], listen: true, env: { GATEWAY_MAX_IN_FLIGHT: '2' } })
})
after(() => gateway.stop())

test('calls beyond GATEWAY_MAX_IN_FLIGHT are shed with 503 and Retry-After, probes are not, and it passes', async () => {
  const running = [1, 2].map(() => send(`${gateway.url}/api/transport/wait`, { body: {} }))
  await transport.arrived(2)
  const shed = await send(`${gateway.url}/api/tools/transport_ask`, { body: { asked: 1 } })
  assertRecord(shed, 503, 'UNAVAILABLE')
  assert.equal(shed.headers.get('retry-after'), '1')
  const overMcp = await send(`${gateway.url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  assert.deepEqual([overMcp.status, overMcp.headers.get('retry-after'), overMcp.json.error.data.code], [503, '1', 'UNAVAILABLE'])
  for (const probe of ['/health', '/health/deep', '/status']) assert.equal((await send(gateway.url + probe)).status, 200)
  transport.release()
  for (const { status, json } of await Promise.all(running)) assert.deepEqual([status, json], [200, { why: 'released' }])
  assert.equal((await send(`${gateway.url}/api/tools/transport_ask`, { body: { asked: 1 } })).status, 200)
})

test('each call of a batch counts', async () => {
  const wait = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'transport_wait' } })
  const batch = send(`${gateway.url}/mcp`, { body: [1, 2, 3].map(wait) })
  await transport.arrived(2)
  transport.release()
  const { json } = await batch
  const codes = json.map(
    (answer: { result: { isError?: boolean; structuredContent: { code?: string } } }) => answer.result.structuredContent.code,
  )
  assert.deepEqual(codes, [undefined, undefined, 'UNAVAILABLE'])
})

test('a late event loop refuses the tenant that floods it before the quiet ones', () => {
  const shedder = new LoadShedder(new Admission(10), () => 0)
  const tenants = ['flood', 'busy', 'quiet', 'other']
  const ask = (): string[] => {
    for (let n = 0; n < 50; n++) shedder.refusal('flood')
    for (let n = 0; n < 5; n++) shedder.refusal('busy')
    return tenants.filter((tenantId) => shedder.refusal(tenantId) !== undefined)
  }
  const seen = [5_000, 5_000, 5_000, 5_000, 5_000, 0].map((lateMs) => {
    ask()
    shedder.sample(lateMs)
    return ask()
  })
  assert.deepEqual(seen, [[], ['flood'], ['flood', 'busy'], tenants, tenants, []])
  shedder.close()
})

test('a tenant with many calls under way is refused before one that sends more requests', () => {
  const admission = new Admission(100)
  const shedder = new LoadShedder(admission, () => 0)
  for (let n = 0; n < 20; n++) admission.enter('heavy')
  shedder.refusal('heavy')
  for (let n = 0; n < 3; n++) shedder.refusal('light')
  for (const lateMs of [5_000, 5_000]) shedder.sample(lateMs)
  assert.deepEqual(
    ['heavy', 'light'].map((tenantId) => shedder.refusal(tenantId)?.code),
    ['UNAVAILABLE', undefined],
  )
  shedder.close()
})

test('a late event loop sheds after two samples running, and no longer once it keeps up', () => {
  const shedder = new LoadShedder(new Admission(10), () => 0)
  const sheds = (): boolean => shedder.refusal('local')?.code === 'UNAVAILABLE'
  const seen = [5_000, 0, 5_000, 5_000, 900].map((lateMs) => {
    shedder.sample(lateMs)
    return sheds()
  })
  assert.deepEqual(seen, [false, false, false, true, false])
  shedder.close()
  assert.ok(sheds())
})

test('while it drains it is not ready and admits calls, and from its close on it refuses them', () => {
  const shedder = new LoadShedder(new Admission(1), () => 0)
  shedder.drain()
  assert.deepEqual([shedder.state, shedder.refusal('acme')], ['draining', undefined])
  shedder.close()
  assert.deepEqual([shedder.state, shedder.refusal('acme')?.code], ['draining', 'UNAVAILABLE'])
})
