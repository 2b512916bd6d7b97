import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { SqliteStore } from '../../storage-sqlite/src/store.ts'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
let gateway: TestGateway
const get = (url: string) => gateway.inject({ method: 'GET', url })
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin] })
})
beforeEach(() => {
  transport.probe = async () => ({ status: 'healthy' })
  transport.facts = async () => ({})
})
after(() => gateway.stop())

test('GET /health says ok, whole seconds of uptime and the database', async () => {
  const first = (await get('/health')).json()
  gateway.clock.advance(61.9)
  const later = await get('/health')
  assert.deepEqual([first, later.status], [{ status: 'ok', uptime: first.uptime, database: 'connected' }, 200])
  assert.deepEqual([Number.isInteger(later.json().uptime), later.json().uptime - first.uptime], [true, 61])
})

test('GET /health/deep has a property per subsystem, and is as well as the least of them', async () => {
  for (const [status, code] of [
    ['healthy', 200],
    ['degraded', 200],
    ['unhealthy', 503],
  ] as const) {
    transport.probe = async () => ({ status, backlog: 7 })
    const page = await get('/health/deep')
    assert.equal(page.status, code)
    assert.deepEqual([page.json().status, page.json().transport], [status, { status, backlog: 7 }])
    assert.equal(page.json().database.status, 'healthy')
  }
})

test('a store that can be read and not written is degraded, and says why', async (t) => {
  t.mock.method(SqliteStore.prototype, 'health', async () => ({ connected: true, writesFail: 'database or disk is full' }))
  const { status, json } = await get('/health/deep')
  assert.deepEqual([status, json().status], [200, 'degraded'])
  assert.deepEqual(json().database, { status: 'degraded', writesFail: 'database or disk is full' })
})

test('a check that itself fails is 500 with status unhealthy and the error, and no code', async () => {
  transport.probe = async () => {
    throw new Error('cannot look')
  }
  const { status, json } = await get('/health/deep')
  assert.deepEqual([status, json()], [500, { status: 'unhealthy', error: 'the check of transport failed: cannot look' }])
})

test('callers of a probe share the check that is under way', async () => {
  let checks = 0
  transport.probe = async () => {
    checks++
    return { status: 'healthy' }
  }
  await Promise.all(Array.from({ length: 20 }, () => get('/health/deep')))
  assert.equal(checks, 1)
  await get('/health/deep')
  assert.equal(checks, 2)
})

test('GET /status has what the gateway knows of itself, and what families say; what they do not is as they have it unread', async () => {
  const { uptime, plugins, ...rest } = (await get('/status')).json()
  assert.ok(Number.isInteger(uptime))
  assert.deepEqual(rest, { name: 'gateway', version: rest.version, database: 'connected', transports: 0 })
  assert.match(rest.version, /^\d+\.\d+\.\d+$/)
  assert.deepEqual(
    plugins.map(({ id, outcome, tools }: Record<string, unknown>) => [id, outcome, tools]),
    [['transport', 'started', transport.plugin.tools.length]],
  )
})

test('contributed facts stand in /status, but cannot speak for the gateway itself', async () => {
  transport.facts = async () => ({ transports: 12, looks: 3, name: 'other', uptime: -1 })
  const page = (await get('/status')).json()
  assert.deepEqual([page.transports, page.looks, page.name], [12, 3, 'gateway'])
  assert.ok(page.uptime >= 0)
})

test('the description of /status has the facts of the families that run, and requires those that are told to everybody', async () => {
  const { paths } = (await get('/api/openapi.json')).json()
  const { properties, required } = paths['/status'].get.responses[200].content['application/json'].schema
  assert.deepEqual([properties.transports, properties.looks, properties.agents], [{ type: 'integer' }, { type: 'integer' }, undefined])
  assert.deepEqual(required, ['name', 'uptime', 'database'])
})

test('a contribution that fails costs /status its own figures only, and is logged', async () => {
  transport.facts = async () => {
    throw new Error('no figures')
  }
  const page = await get('/status')
  assert.deepEqual([page.status, page.json().transports], [200, 0])
  assert.ok(gateway.logs.some(({ msg }) => msg === 'status facts left out'))
})

const TOKEN = 'a-local-token-of-some-length-0123456789'
const ADMIN = 'the-admin-token-of-the-tests'

test('a caller that is neither local nor has a credential is told how the gateway is, and no version, size, figure or plugin', async () => {
  const env = { GATEWAY_LOOPBACK_TRUST: '0', GATEWAY_LOCAL_TOKEN: TOKEN, ADMIN_API_TOKEN: ADMIN }
  await using guarded = await startTestGateway({ plugins: [transport.plugin], env })
  const ask = (url: string, headers: Record<string, string> = {}) => guarded.inject({ method: 'GET', url, headers })
  await guarded.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await guarded.tenants.issueKey('acme', { role: 'viewer', environment: 'live' })
  const statuses: Record<string, unknown> = {}
  for (const [status, code] of [
    ['healthy', 200],
    ['degraded', 200],
    ['unhealthy', 503],
  ] as const) {
    transport.probe = async () => ({ status, path: '/secret/path', freeBytes: 1 })
    const page = await ask('/health/deep')
    assert.deepEqual([page.status, page.json().status, page.json().transport], [code, status, { status }])
    Object.assign(statuses, page.json())
  }
  for (const [name, part] of Object.entries(statuses))
    if (name !== 'status') assert.deepEqual(Object.keys(part as object), ['status'], name)
  assert.deepEqual(Object.keys((await ask('/status')).json()).sort(), ['database', 'name', 'uptime'])
  const wrong = { authorization: 'Bearer wrong' }
  assert.deepEqual([(await ask('/status', wrong)).status, Object.keys((await ask('/status', wrong)).json()).length], [200, 3])
  for (const headers of [{ authorization: `Bearer ${TOKEN}` }, { 'x-admin-token': ADMIN }, { 'x-api-key': apiKey }]) {
    assert.ok((await ask('/status', headers as Record<string, string>)).json().plugins.length > 0)
    assert.equal((await ask('/health/deep', headers as Record<string, string>)).json().transport.path, '/secret/path')
  }
})

test('a page that rebinds its name to this machine is told no details, and a check that fails says why to callers that are known', async () => {
  transport.probe = async () => {
    throw new Error('cannot look at /secret/path')
  }
  const { status, json } = await gateway.inject({ method: 'GET', url: '/health/deep', headers: { host: 'rebound.example' } })
  assert.deepEqual([status, json()], [500, { status: 'unhealthy', error: 'A check failed; the log says which, and why.' }])
  assert.match((await get('/health/deep')).json().error, /cannot look/)
})
