import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

const { name, skip } = needing('chromium', 'a task is acted on wherever it is shown, alone or with others, and each act is undone')
test(name, { skip, timeout: 120_000 }, async (t) => {
  await using dashboard = await startDashboard({ config: { tasks: { maxRetries: 0 } } })
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  const claimed = async (title: string) => {
    const { task } = await call('tasks_create', { repo: 'org/api', title })
    return (await call('tasks_claim', { taskId: task.taskId, claimedBy: 'ada' })).task
  }
  for (const title of ['Mend the gate', 'Oil the hinges', 'Paint the fence']) {
    const { taskId, claimId } = await claimed(title)
    await call('tasks_fail', { taskId, claimId, error: 'No.' })
  }
  const { taskId, claimId } = await claimed('Count the posts')
  await call('tasks_update', { taskId, claimId, status: 'review' })
  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await call('tasks_list', {})).tasks.map(({ title, status }: Record<string, string>) => [title, status]))
  const page = await dashboard.open('/')
  await settled(page)
  const needs = page.getByRole('region', { name: /^Waits for you/ })

  await t.test('several that wait are chosen on the overview, and the undo covers them', async () => {
    await needs.getByRole('checkbox', { name: /Mend the gate/ }).check()
    await needs.getByRole('checkbox', { name: /Oil the hinges/ }).check()
    assert.deepEqual(await axeFaults(page), [])
    await needs.getByRole('group', { name: 'Selected' }).getByRole('button', { name: 'Let it run' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Let it run' }).click()
    await page.getByRole('dialog', { name: 'Let it run: 2 done, 0 refused' }).waitFor()
    assert.deepEqual(await statuses(), {
      'Mend the gate': 'pending',
      'Oil the hinges': 'pending',
      'Paint the fence': 'dead_letter',
      'Count the posts': 'review',
    })
    await page.getByRole('button', { name: 'Undo all 2' }).click()
    await page.getByText('Let it run: 2 undone').waitFor()
    assert.equal((await statuses())['Mend the gate'], 'dead_letter')
  })

  await t.test('all that wait for the same are done at once', async () => {
    await needs.getByRole('button', { name: 'Let all run (3)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Let it run' }).click()
    await page.getByRole('dialog', { name: 'Let it run: 3 done, 0 refused' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(Object.values(await statuses()).filter((status) => status === 'pending').length, 3)
  })

  await t.test('a hit of the search offers the actions of its record', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('count the posts')
    await page.getByRole('option', { name: /Count the posts/ }).waitFor()
    while ((await page.locator('[role=option][aria-selected=true]', { hasText: 'Count the posts' }).count()) === 0)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('option', { name: /Accept/ }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.keyboard.press('Enter')
    await page.getByText('Accepted').waitFor()
    assert.equal((await statuses())['Count the posts'], 'done')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Accept: undone').waitFor()
    assert.equal((await statuses())['Count the posts'], 'review')
  })

  await t.test('an entry of an agent’s timeline offers the actions of its record', async () => {
    await page.goto(`${gateway.url}/dashboard/agents/ada`)
    await settled(page)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.locator('summary[aria-label="Actions: Count the posts"]').first().click()
    await timeline.getByRole('button', { name: 'Send back' }).first().click()
    await page.getByLabel('What is missing?').fill('The last one.')
    await page.getByRole('dialog').getByRole('button', { name: 'Send back' }).click()
    await page.getByText('Sent back').waitFor()
    assert.equal((await statuses())['Count the posts'], 'pending')
  })

  await t.test('on its own page a task that runs again goes back to the status that it had', async () => {
    const { tasks } = await call('tasks_list', { q: 'Paint the fence' })
    await call('tasks_update', { taskId: tasks[0].taskId, status: 'paused' })
    await page.goto(`${gateway.url}/dashboard/tasks?status=paused`)
    await settled(page)
    await page.getByRole('button', { name: 'Let it run: Paint the fence' }).click()
    await page.getByText('Let it run: done').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Let it run: undone').waitFor()
    assert.equal((await statuses())['Paint the fence'], 'paused')
  })

  await t.test('an open menu stays at its button when its row moves, and closes when the row is out of view', async () => {
    await page.goto(`${gateway.url}/dashboard/gallery-few`)
    await settled(page)
    const menu = page.locator('details.menu', { has: page.getByLabel('More actions: Row 2') })
    await menu.locator('summary').click()
    const remove = menu.getByRole('button', { name: 'Remove' })
    const before = await remove.boundingBox()
    await page.evaluate('scrollBy(0, 40)')
    await page.waitForFunction('window.scrollY >= 40')
    await remove.waitFor()
    assert.equal(Math.round(((await remove.boundingBox())?.y ?? 0) - (before?.y ?? 0)), -40)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await remove.waitFor({ state: 'hidden' })
  })

  await t.test('a number whose counting stopped says that there may be more', async () => {
    const [rows, upTo6] = await page.getByRole('region', { name: 'Figures' }).locator('dd').allTextContents()
    assert.deepEqual([rows, upTo6], ['6', '6+'])
  })

  await t.test('the links of commits are large enough for a finger', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const commits = page.getByRole('region', { name: 'Commits' }).locator('a.opens')
    await commits.first().waitFor()
    assert.equal(await commits.count(), 6)
    const heights = await commits.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height))
    assert.ok(Math.min(...heights) >= 24, heights.join(', '))
  })
  dashboard.assertQuiet()
})
