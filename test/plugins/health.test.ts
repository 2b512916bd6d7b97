import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

test('with all families running no figure of health_status is unknown, and every part is looked at', async () => {
  await using gateway = await startTestGateway({
    plugins: standardPlugins,
    env: { GATEWAY_EMBEDDINGS: 'off' },
    config: { providers: { providers: { local: { wire: 'openai', baseUrl: 'http://127.0.0.1:9', models: { standard: 'small' } } } } },
  })
  const { vectors, schedules, providers, channels, repos } = await gateway.call('health_status')
  assert.deepEqual(
    Object.entries({ vectors, schedules, providers, channels, repos }).filter(([, figures]) => figures === null),
    [],
  )
  assert.deepEqual([providers.configured, providers.usable, providers.lanes[0].breaker], [1, 1, 'closed'])
  await gateway.call('provider_maintenance_enter', { provider: 'local', reason: 'new keys', operator: 'ada' })
  assert.equal((await gateway.call('health_status')).providers.usable, 0)

  const { health } = await gateway.call('health_alerts_run')
  const parts = health.checks.map(({ name }: { name: string }) => name)
  const wanted = ['audit', 'containers', 'database', 'disk', 'embeddings', 'gateway', 'git', 'providers', 'repos', 'scheduler']
  assert.deepEqual(
    wanted.filter((name) => !parts.includes(name)),
    [],
  )
})
