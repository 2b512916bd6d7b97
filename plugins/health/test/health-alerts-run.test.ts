import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../src/index.ts'
import { part, start, type TestGateway } from './support.ts'

const MINUTE = 60

async function subject(config: object = {}) {
  const subject = part()
  const gateway = await start({
    plugins: [plugin, subject.plugin],
    config: { health: { diskDegradedMiB: 0, diskUnhealthyMiB: 0, ...config } },
  })
  const run = async () =>
    (await gateway.call('health_alerts_run')).alerts.map(({ check, say }: Record<string, string>) => `${check} ${say}`)
  return { ...subject, gateway, run, [Symbol.asyncDispose]: () => gateway.stop() }
}

const names = async (gateway: TestGateway) =>
  (await gateway.call('health_alerts_run')).health.checks.map(({ name }: { name: string }) => name)

test('a cycle looks at the gateway, the database, the scheduler, the container runtime, the disk, the audit trail, and what families add', async () => {
  await using it = await subject()
  assert.deepEqual(await names(it.gateway), ['audit', 'containers', 'database', 'disk', 'gateway', 'load', 'part', 'scheduler'])
})

test('a part that becomes degraded or unhealthy is told of, and once more when it is well again', async () => {
  await using it = await subject()
  assert.deepEqual(await it.run(), [])
  it.is('degraded', { error: 'slow' })
  assert.deepEqual(await it.run(), ['part raised'])
  assert.deepEqual(await it.run(), [], 'it was told')
  it.is('unhealthy')
  assert.deepEqual(await it.run(), ['part raised'], 'it is worse')
  it.is('healthy')
  assert.deepEqual(await it.run(), ['part recovered'])
  assert.deepEqual(await it.run(), [])
  assert.deepEqual(
    it.alerts.map(({ level, source, title }) => ({ level, source, title })),
    [
      { level: 'warning', source: 'health.part', title: 'part is degraded' },
      { level: 'critical', source: 'health.part', title: 'part is unhealthy' },
      { level: 'info', source: 'health.part', title: 'part is healthy again' },
    ],
  )
  assert.equal(it.alerts[0]?.message, 'error: slow')
})

test('what flaps is told of once within the window, and again when that is over', async () => {
  await using it = await subject({ dedupMinutes: 10 })
  const flap = async () => {
    it.is('degraded')
    const bad = await it.run()
    it.is('healthy')
    return [...bad, ...(await it.run())]
  }
  assert.deepEqual(await flap(), ['part raised', 'part recovered'])
  for (let i = 0; i < 3; i++) {
    it.gateway.clock.advance(MINUTE)
    assert.deepEqual(await flap(), [])
  }
  it.gateway.clock.advance(10 * MINUTE)
  assert.deepEqual(await flap(), ['part raised', 'part recovered'])
})

test('what has been told is known after a restart', async () => {
  await using it = await subject()
  it.is('unhealthy')
  await it.run()
  await it.gateway.restart()
  assert.deepEqual(await it.run(), [])
})

test('a check that throws is unhealthy, says why, and keeps no other from being made', async () => {
  await using it = await subject()
  it.does(() => Promise.reject(new Error('cannot look')))
  const { health } = await it.gateway.call('health_alerts_run')
  const found = health.checks.find(({ name }: { name: string }) => name === 'part')
  assert.deepEqual([health.status, found.status, found.details], ['unhealthy', 'unhealthy', { error: 'cannot look' }])
  assert.equal(health.checks.length, 8)
})

test('a tenant’s caller may have the gateway looked at: it is the one cycle of all', async () => {
  await using it = await subject()
  it.is('degraded')
  const as = { tenantId: 'acme', kind: 'user', role: 'member', id: 'ann' } as const
  assert.equal((await it.gateway.call('health_alerts_run', {}, { as })).alerts.length, 1)
  assert.deepEqual(await it.run(), [])
  assert.deepEqual(Object.values(await it.gateway.documents('acme')).flat(), [])
})

test('the job looks by itself, once for all tenants, and the scheduler that begins none is found out', async () => {
  await using it = await subject()
  await it.gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  it.is('degraded')
  await it.gateway.runJob('health.cycle')
  while (it.alerts.length === 0) await new Promise(setImmediate)
  assert.equal(it.alerts.length, 1)
  it.gateway.clock.advance(10 * MINUTE)
  const page = (await it.gateway.inject({ method: 'GET', url: '/health/deep' })).json()
  assert.deepEqual([page.scheduler.status, page.scheduler.quietSeconds], ['degraded', 600])
})

test('switched off, nobody is alerted, and what is found is still said', async () => {
  await using it = await subject({ alertsDisabled: true })
  it.is('unhealthy')
  const { health, alerts } = await it.gateway.call('health_alerts_run')
  assert.deepEqual([health.status, alerts, it.alerts], ['unhealthy', [], []])
  assert.equal((await it.gateway.call('health_alerts_status')).alertingActive, false)
})
