import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { needing } from '../support/programs.ts'
import { axeFaults, overflows, settled, startDashboard } from './support.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function assertWhole(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await overflows(page), false, `wider than its window of ${width} px`)
    assert.deepEqual(await axeFaults(page), [], `${width} px, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

const begins = needing('chromium', 'a new gateway shows the steps that put it to work, and a step ticks itself when it is taken')
test(begins.name, { skip: begins.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/')
  await settled(page)
  const steps = panel(page, 'Getting started')
  await steps.getByText(`claude mcp add`).waitFor({ state: 'hidden' })
  await steps.getByRole('button', { name: 'Claude Code' }).click()
  await steps.getByText(`claude mcp add --transport http gateway ${dashboard.gateway.url}/mcp`).waitFor()
  assert.equal(await panel(page, 'Queue').count(), 0, 'figures without a fleet say nothing')
  await assertWhole(page)
  await dashboard.gateway.call('tasks_create', { repo: 'web', title: 'The door' }, { via: 'rest' })
  await steps.locator('li', { hasText: 'Create a task' }).locator('.badge.good').waitFor()
  await panel(page, 'Queue').getByText('Pending').waitFor()
  dashboard.assertQuiet()
})

const shows = needing(
  'chromium',
  'the overview shows what waits, who works on what, and figures that lead to their lists, and follows the fleet',
)
test(shows.name, { skip: shows.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard({ config: { tasks: { maxRetries: 0 } } })
  const { gateway } = dashboard
  const create = async (title: string): Promise<string> =>
    (await gateway.call('tasks_create', { repo: 'web', title }, { via: 'rest' })).task.taskId
  const claim = async (taskId: string) => (await gateway.call('tasks_claim', { taskId, claimedBy: 'ada' })).task
  await create('Paint the fence')
  await claim(await create('Mend the gate'))
  const hinge = await claim(await create('Oil the hinges'))
  await gateway.call('tasks_fail', { taskId: hinge.taskId, claimId: hinge.claimId, error: 'There is no oil.' })
  await gateway.call('runner_heartbeat', { machine: 'forge' })
  const page = await dashboard.open('/')
  await settled(page)
  const order = await page.getByRole('region').evaluateAll((all) => all.map((one) => one.getAttribute('aria-labelledby')).filter(Boolean))
  assert.equal(order[0], 'needs', 'first comes what needs a person')
  await panel(page, 'Waits for you 1').getByText('“Oil the hinges” has failed for good').waitFor()
  const working = panel(page, 'At work')
  await working.getByText('Mend the gate').waitFor()
  await working.getByRole('link', { name: 'ada' }).waitFor()
  await panel(page, 'Runners').getByText('alive').waitFor()
  await assertWhole(page)
  const pending = panel(page, 'Queue').locator('div', { hasText: 'Pending' }).getByRole('link')
  assert.equal(await pending.textContent(), '1')
  await create('Plant a hedge')
  await panel(page, 'Queue').getByRole('link', { name: '2', exact: true }).waitFor()
  await pending.click()
  await page.waitForURL(/\/dashboard\/tasks\?status=pending$/)
  await page.getByText('Plant a hedge').first().waitFor()
  dashboard.assertQuiet()
})

const menu = needing('chromium', 'the menu has eight groups, opens that of the page, and shows its entry')
test(menu.name, { skip: menu.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/dashboard/webhooks')
  await settled(page)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  assert.equal(await pages.getByRole('heading').count(), 8)
  const here = pages.getByRole('link', { name: 'Webhooks' })
  assert.equal(await here.getAttribute('aria-current'), 'page')
  const box = await here.boundingBox()
  assert.ok(box && box.y > 0 && box.y + box.height <= 900, 'the entry of the page is in sight')
  assert.equal(await pages.getByRole('link', { name: 'Tasks', exact: true }).count(), 0, 'other groups are closed')
  await pages.getByRole('button', { name: 'Work' }).press('Enter')
  await pages.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  dashboard.assertQuiet()
})
