import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

/** Several pages of tasks_list. */
const TASKS = 320
/** Elements that a table may have for its rows, however many it holds. */
const MOST_DRAWN = 90

const { name, skip } = needing(
  'chromium',
  'a long list goes on while it is scrolled, draws only the rows in view, and reloads only their pages',
)
test(name, { skip, timeout: 120_000 }, async (t) => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  for (let index = 0; index < TASKS; index++) {
    gateway.clock.advance(1)
    await call('tasks_create', { repo: 'org/long', title: `Number ${index}` })
  }
  const page = await dashboard.open('/dashboard/tasks')
  const asked: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tools/tasks_list')) asked.push(request.postDataJSON())
  })
  await settled(page)
  const table = page.getByRole('region', { name: 'Queue: rows' })
  const drawn = () => table.locator('tbody tr:not(.gap)').count()
  const scroll = (by: number) =>
    page.evaluate(
      `document.querySelector('.tall').scrollBy(0, ${by}), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`,
    )
  await table.locator('tr.gap').waitFor({ state: 'attached' })

  await t.test('all rows are reached by scrolling', async () => {
    for (let turn = 0; turn < 60 && (await table.getByText(`Number ${TASKS - 1}`, { exact: true }).count()) === 0; turn++) {
      await scroll(1_500)
      await table.locator('tbody tr:not(.gap)').nth(5).waitFor()
    }
    await table.getByText(`Number ${TASKS - 1}`, { exact: true }).waitFor()
    assert.ok((await drawn()) <= MOST_DRAWN, `${await drawn()} rows are drawn`)
  })

  await t.test('a change reloads the pages in view', async () => {
    await page.mouse.move(0, 0)
    asked.length = 0
    await call('tasks_update', {
      taskId: (await call('tasks_list', { q: '"Number 319"', limit: 1 })).tasks[0].taskId,
      priority: 'P2',
      notes: 'seen',
    })
    await page.waitForRequest((request) => request.url().endsWith('/api/tools/tasks_list') && request.postDataJSON().cursor !== undefined)
    const queue = asked.filter((args) => (args as { limit?: number }).limit === undefined)
    assert.ok(queue.length >= 1 && queue.length <= 3, JSON.stringify(queue))
    assert.ok(
      queue.every((args) => typeof (args as { cursor?: string }).cursor === 'string'),
      JSON.stringify(queue),
    )
  })

  await t.test('a page that changed out of view is read again when it comes into view', async () => {
    const answered = page.waitForResponse((response) => response.request().postDataJSON()?.cursor !== undefined)
    const { taskId } = (await call('tasks_list', { q: '"Number 0"', limit: 1 })).tasks[0]
    await call('tasks_update', { taskId, status: 'paused' })
    await answered
    // A later change would reload what is then in view: the page has come to rest before it is scrolled.
    for (let before = -1; before !== asked.length; await page.waitForTimeout(1_500)) before = asked.length
    await scroll(-100_000)
    await table.getByRole('row', { name: /Number 0 .*paused/i }).waitFor()
  })

  await t.test('the row with the focus stays while others come and go', async () => {
    await scroll(-100_000)
    await table.getByText('Number 0', { exact: true }).waitFor()
    await table.getByRole('link', { name: 'Number 0', exact: true }).focus()
    await scroll(6_000)
    await table.getByText('Number 150', { exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Number 0')
    await scroll(-100_000)
    assert.deepEqual(await axeFaults(page), [])
  })

  await t.test('the order of a list is part of its address', async () => {
    await table.getByRole('button', { name: 'Title' }).click()
    await table.getByRole('button', { name: 'Title' }).click()
    await page.waitForURL(/queue.order=-Title/)
    await page.reload()
    await settled(page)
    assert.equal(await table.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'), 'descending')
  })
  await t.test('the filters and the order are saved as a view under a name, which the palette finds and an undo brings back', async () => {
    await page.getByRole('searchbox', { name: 'Repo' }).or(page.getByLabel('Repo')).first().fill('org/long')
    await page.waitForURL(/repo=org/)
    await page.locator('summary[aria-label="Views"]').click()
    await page.getByRole('button', { name: 'Save this view …' }).click()
    await page.getByLabel('Name').fill('The long ones')
    await page.keyboard.press('Enter')
    await page.getByText('View The long ones: saved').waitFor()
    await page.goto(`${gateway.url}/dashboard/swarms`)
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('long ones')
    await page.getByRole('option', { name: /view of Tasks/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/queue.order=-Title.*repo=org/)
    await settled(page)
    await page.locator('summary[aria-label="Views"]').click()
    await page.getByRole('button', { name: 'Delete the view The long ones' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('summary[aria-label="Views"]').click()
    await page.getByRole('link', { name: 'The long ones' }).waitFor()
  })
  dashboard.assertQuiet()
})
