import assert from 'node:assert/strict'
import { test } from 'node:test'
import connectors from '@gateway/plugin-connectors'
import { pluginSuite, startTestGateway } from '@gateway/testing'
import weather from '../src/index.ts'

pluginSuite(weather, { folder: import.meta.dirname, with: [connectors] })

test('the connector stands in the curated set; switched on, a client’s configuration has it', async () => {
  await using gateway = await startTestGateway({ plugins: [connectors, weather] })
  const { connectors: listed } = await gateway.call('connectors_list')
  const found = listed.find(({ key }: { key: string }) => key === 'weather')
  assert.deepEqual([found.source, found.enabled, found.requiresEnv], ['bundled', false, ['WEATHER_TOKEN']])
  await gateway.call('connectors_toggle', { key: 'weather', enabled: true })
  assert.deepEqual((await gateway.call('connectors_mcp_config')).mcpServers.weather, {
    type: 'http',
    url: 'https://weather.example.com/mcp',
    headers: { Authorization: 'Bearer ${WEATHER_TOKEN}' },
  })
})
