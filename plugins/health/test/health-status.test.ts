import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { healthFigures } from '../src/api.ts'
import plugin from '../src/index.ts'
import { start } from './support.ts'

test('uptime, database and memory are told, and null stands for what no running family knows', async () => {
  await using gateway = await start()
  gateway.clock.advance(90)
  const { memory, version, ...status } = await gateway.call('health_status')
  assert.deepEqual(status, {
    status: 'healthy',
    uptime: 90,
    database: { status: 'connected', health: 'healthy' },
    vectors: null,
    schedules: null,
    providers: null,
    channels: null,
    repos: null,
  })
  assert.match(version, /^\d+\./)
  assert.ok(memory.rssBytes > 1_000_000 && memory.heapUsedBytes > 1_000_000)
})

test('families add their figures, of the caller’s tenant; one that fails is unknown, and its fault is logged', async () => {
  const family = definePlugin({
    id: 'family',
    sdk: '^1.0.0',
    description: 'Families with figures.',
    contributes: [
      contribute(healthFigures, { create: (_, ctx) => ({ name: 'schedules', figures: async () => ({ active: 3, of: ctx.tenantId }) }) }),
      contribute(healthFigures, { create: () => ({ name: 'repos', figures: () => Promise.reject(new Error('no list')) }) }),
      contribute(healthFigures, { create: () => ({ name: 'weather', figures: async () => ({ sunny: true }) }) }),
    ],
  })
  await using gateway = await start({ plugins: [plugin, family] })
  const { schedules, repos, weather } = await gateway.call('health_status', {}, { as: { tenantId: 'acme' } })
  assert.deepEqual([schedules, repos, weather], [{ active: 3, of: 'acme' }, null, undefined])
  assert.ok(gateway.logs.some(({ msg, name }) => msg === 'figures left out' && name === 'repos'))
})
