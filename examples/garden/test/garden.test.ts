import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionView, DashboardView } from '@gateway/sdk'
import { pluginSuite, startTestGateway } from '@gateway/testing'
import garden from '../src/index.ts'

pluginSuite(garden, { folder: import.meta.dirname })

test('its pages stand among those of the dashboard, and live on its beds', async () => {
  await using gateway = await startTestGateway({ plugins: [garden] })
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
  assert.deepEqual(
    pages.map(({ path, menu, panels }) => [path, menu, panels.flatMap((panel) => (panel.kind === 'form' ? [] : panel.source.live))]),
    [
      ['/garden/:bedId', false, ['garden.beds', 'garden.beds']],
      ['/garden', true, ['garden.beds']],
    ],
  )
})

test('a bed that nobody has watered for three days waits for somebody, until it is watered', async () => {
  await using gateway = await startTestGateway({ plugins: [garden] })
  const { bed } = (await gateway.call('garden_dig', { plant: 'Tomatoes' })) as { bed: { bedId: string } }
  const waiting = async (): Promise<readonly string[]> =>
    ((await gateway.inject({ method: 'GET', url: '/api/attention' })).json() as AttentionView).items.map(
      ({ title, link }) => `${title} ${link?.path}`,
    )
  assert.deepEqual(await waiting(), [])
  gateway.clock.advance(4 * 86_400)
  assert.deepEqual(await waiting(), [`Tomatoes is thirsty /garden/${bed.bedId}`])
  await gateway.call('garden_water', { bedId: bed.bedId })
  assert.deepEqual(await waiting(), [])
})
