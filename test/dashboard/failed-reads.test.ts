import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const { name, skip } = needing('chromium', 'what could not be read is never shown as nothing: the failure is said, and is tried again')
test(name, { skip, timeout: 120_000 }, async (t) => {
  await using dashboard = await startDashboard({ config: { tasks: { maxRetries: 0 } } })
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  const { task } = await call('tasks_create', { repo: 'org/api', title: 'Mend the gate' })
  const { claimId } = (await call('tasks_claim', { taskId: task.taskId, claimedBy: 'ada' })).task
  await call('tasks_fail', { taskId: task.taskId, claimId, error: 'No.' })
  await call('tasks_create', { repo: 'org/api', title: 'Oil the hinges' })

  await t.test('the search', async () => {
    const page = await dashboard.open('/')
    await settled(page)
    await page.route('**/api/dashboard/search?*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type('oil the hinges')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The gateway does not respond.').waitFor()
    await page.unroute('**/api/dashboard/search?*')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('option', { name: /Oil the hinges/ }).waitFor()
    await page.close()
  })

  await t.test('the actions of a record', async () => {
    const page = await dashboard.open('/')
    await settled(page)
    const ofTask = (url: URL) => url.pathname === `/api/tasks/${task.taskId}` || url.pathname === '/api/tools/tasks_get'
    await page.route(ofTask, (route) => route.abort())
    const menu = page.locator('details.menu', { has: page.getByLabel(/^Actions: .*Mend the gate/) })
    await menu.locator('summary').click()
    await menu.getByText('The gateway does not respond.').waitFor()
    await page.unroute(ofTask)
    await menu.getByRole('button', { name: 'Try again' }).click()
    await menu.getByRole('button', { name: 'Delete' }).waitFor()
    await page.close()
  })

  await t.test('the saved views, which the next page asks for again', async () => {
    const page = await dashboard.open('/')
    await settled(page)
    const views = '**/api/dashboard/views'
    await page.route(views, (route) => route.abort())
    await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
    await settled(page)
    const menu = page.locator('details.menu', { has: page.getByLabel('Views', { exact: true }) })
    await menu.locator('summary').click()
    await menu.getByText('The gateway does not respond.').waitFor()
    await page.unroute(views)
    await menu.getByRole('button', { name: 'Try again' }).click()
    await menu.getByText('No saved views of this page.').waitFor()
    await page.close()
  })
})
