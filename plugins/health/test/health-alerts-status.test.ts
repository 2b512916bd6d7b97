import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../src/index.ts'
import { part, start } from './support.ts'

test('before anything was checked the latest result is null; the rest says how alerts are raised', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('health_alerts_status'), {
    latest: null,
    alertingActive: true,
    intervalSeconds: 60,
    dedupWindowMinutes: 60,
    trackedAlerts: 0,
  })
})

test('afterwards it is what was found, for every tenant, over a restart, with how many parts are tracked', async () => {
  const unwell = part()
  unwell.is('degraded', { error: 'slow' })
  await using gateway = await start({ plugins: [plugin, unwell.plugin] })
  const { health } = await gateway.call('health_alerts_run')
  await gateway.restart()
  const status = await gateway.call('health_alerts_status', {}, { as: { tenantId: 'acme', role: 'viewer', kind: 'user', id: 'ann' } })
  assert.deepEqual([status.latest, status.trackedAlerts], [health, 1])
})
