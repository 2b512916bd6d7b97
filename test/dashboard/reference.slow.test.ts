import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { overflows, startDashboard } from './support.ts'

const { name, skip } = needing(
  'chromium',
  'the viewer of the API shows examples and models, and tries a call, without a request to anywhere else',
)
test(name, { skip, timeout: 300_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/api/docs')
  // The document is large, and is read by the viewer as a whole.
  page.setDefaultTimeout(90_000)
  const operation = page
    .locator('.opblock', { has: page.locator('[data-path="/api/tasks"]') })
    .filter({ hasText: 'POST' })
    .first()
  await page
    .locator('.opblock-tag')
    .filter({ hasText: /^tasks/ })
    .first()
    .click()
  await operation.locator('.opblock-summary-control').click()
  const example = operation.locator('textarea.body-param__text')
  await example.waitFor()
  assert.deepEqual(Object.keys(JSON.parse(await example.inputValue())).includes('title'), true)
  await operation.getByRole('tab', { name: 'Schema' }).first().click()
  await operation.getByText('priority').first().waitFor()
  await operation
    .getByRole('tab', { name: /Edit Value|Example Value/ })
    .first()
    .click()
  await operation.locator('textarea.body-param__text').fill('{"repo":"org/api","title":"Made by the viewer"}')
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('Made by the viewer').first().waitFor()
  const { tasks } = await dashboard.gateway.call('tasks_list', { repo: 'org/api' }, { via: 'rest' })
  assert.equal(tasks[0].title, 'Made by the viewer')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await overflows(page), false, `wider than its window of ${width} px`)
  }
  dashboard.assertQuiet()
})
