import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/ports.ts'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const PARTS = '**/dashboard-assets/part-*.js'

const { name, skip } = needing(
  'chromium',
  'a part of the dashboard that could not be loaded is loaded by the next click, or once the gateway is back',
)
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard({ env: { GATEWAY_PORT: String(await freePort()) } })
  const page = await dashboard.open('/dashboard/gallery-paged')
  await settled(page)
  await page.route(PARTS, (route) => route.abort())

  const create = page.getByRole('button', { name: 'New in paged' })
  await create.click()
  await page.locator('.toast.bad', { hasText: 'A part of the dashboard could not be loaded.' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)

  await page.getByRole('link', { name: 'A few' }).click()
  const graph = page.getByRole('region', { name: 'Graph' })
  await graph.getByText('A part of the dashboard could not be loaded.').waitFor()
  await page.unroute(PARTS)
  await graph.getByRole('button', { name: 'Try again' }).click()
  await graph.getByRole('group', { name: '6 nodes, 5 edges' }).waitFor()

  // The other panels try again by themselves, once the stream of changes is back.
  const series = page.getByRole('region', { name: 'Series' })
  await series.getByRole('button', { name: 'Try again' }).waitFor()
  await dashboard.gateway.restart()
  await series.locator('canvas').first().waitFor()

  await page.goBack()
  await create.click()
  await page.getByRole('dialog').waitFor()
  dashboard.assertQuiet()
})
