import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const counted = needing('chromium', 'a board that holds one page of the list says that its columns have more')
test(counted.name, { skip: counted.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const add = (count: number): Promise<unknown> =>
    dashboard.gateway.call('tasks_bulk', {
      operations: Array.from({ length: count }, (_, n) => ({ action: 'create', repo: 'web', title: `Task ${n}` })),
    })
  await add(100)
  await add(100)
  const page = await dashboard.open('/dashboard/tasks')
  await settled(page)
  const pending = page.locator('.board .column[aria-label=Pending] .count')
  assert.equal(await pending.textContent(), '200')
  await add(1)
  await page.getByText('201', { exact: true }).waitFor()
  await page.locator('.board .column[aria-label=Pending] .count', { hasText: '200+' }).waitFor()
  dashboard.assertQuiet()
})
