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

const now = needing('chromium', 'what the fleet does now is told in figures and tables, and never as JSON')
test(now.name, { skip: now.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  await gateway.call('tasks_create', { repo: 'web', title: 'The door' })
  await gateway.call('schedules_create', {
    name: 'Every morning',
    cronExpr: '0 9 * * *',
    kind: 'agent',
    target: 'planner',
    message: 'Plan.',
  })
  const page = await dashboard.open('/dashboard/now')
  await settled(page)
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  for (const [name, text] of [
    ['Queue', 'Pending'],
    ['Next runs', 'Every morning'],
    ['Spend', 'This month'],
  ] as const)
    await panel(name).getByText(text).first().waitFor()
  assert.equal(await page.locator('pre').count(), 0)
  dashboard.assertQuiet()
})
