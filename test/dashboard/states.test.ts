import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

const { name, skip } = needing('chromium', 'the page of maintenance offers what the state of the fleet allows, and the audit table fits')
test(name, { skip, timeout: 120_000 }, async (t) => {
  const plugins = standardPlugins.filter(({ id }) => ['dashboard', 'tenants', 'fleet', 'tasks', 'trash', 'runners'].includes(id))
  await using dashboard = await startDashboard({ plugins })
  await t.test('pausing and ending maintenance are offered in turn, without a reload', async () => {
    const page = await dashboard.open('/dashboard/maintenance')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await button('Pause the fleet').waitFor()
    assert.equal(await button('End maintenance').count(), 0)
    await dashboard.gateway.call('fleet_maintenance_enter', { reason: 'Work on the power' })
    await button('End maintenance').waitFor()
    assert.equal(await button('Pause the fleet').count(), 0)
    await button('End maintenance').click()
    await button('Pause the fleet').waitFor()
    await page.close()
  })
  await t.test('the audit table needs no scrolling to the side at 1440 pixels, and details of a row unfold', async () => {
    const as = { kind: 'api-key', id: 'key:k_0123456789abcdef', role: 'member', label: 'a-long-name-of-a-machine/agent-12' } as const
    await dashboard.gateway.call('tasks_create', { repo: 'web', title: 'A title of the usual length, which is seen in the audit' }, { as })
    await dashboard.gateway
      .call('tasks_update', { taskId: 'task-of-nobody-0123456789abcdef', status: 'done' }, { as })
      .catch(() => undefined)
    const page = await dashboard.open('/dashboard/audit', { viewport: { width: 1440, height: 900 } })
    await settled(page)
    const rows = page.getByRole('region', { name: 'Records: rows' })
    assert.ok((await rows.getByRole('row').count()) > 2)
    assert.equal(await rows.evaluate((region) => region.scrollWidth > region.clientWidth), false, 'the table scrolls sideways')
    const details = rows.locator('details', { hasText: 'Request' }).first()
    await details.locator('summary').click()
    await details.locator('dt', { hasText: 'Request' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.close()
  })
  dashboard.assertQuiet()
})
