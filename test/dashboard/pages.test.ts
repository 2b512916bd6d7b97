import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DashboardView } from '@gateway/sdk'
import { needing } from '../support/programs.ts'
import { axeFaults, overflows, settled, startDashboard } from './support.ts'

const ADMIN = 'the-admin-token-of-the-tests'

const { name, skip } = needing(
  'chromium',
  'every page in the menu of the distribution is shown whole to the operator, whose browser is lifted: no panel is refused or fails',
)
test(name, { skip, timeout: 300_000 }, async (t) => {
  await using dashboard = await startDashboard({ env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on' } })
  const { gateway } = dashboard
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live', label: 'Ann’s laptop' })
  await gateway.call('tasks_create', { repo: 'org/api', title: 'Mend the gate' }, { via: 'rest' })
  for (const slug of ['gate', 'fence']) await gateway.call('brain_commit', { kind: 'memory', slug, content: `The ${slug} creaks.` })
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
  const paths = pages.filter(({ menu, plugin }) => menu && plugin !== 'gallery').map(({ path }) => path)
  for (const path of ['/audit', '/browsers', '/budgets', '/keys', '/marketplace/review', '/plugins', '/tenants'])
    assert.ok(paths.includes(path), path)

  const tab = await dashboard.tabs()
  const first = await tab('/')
  await settled(first)
  await first.getByLabel('Your account').click()
  await first.getByRole('button', { name: 'Lift with the operator’s token …' }).click()
  await first.getByLabel('Operator’s token').fill(ADMIN)
  await first.keyboard.press('Enter')
  await first.getByText('Operator’s rights: 15 min').waitFor()

  for (const path of [...paths, '/tenants/acme']) {
    await t.test(path, async () => {
      const page = await tab(`/dashboard${path}`)
      await settled(page)
      assert.deepEqual(await page.locator('.state.refused').allInnerTexts(), [])
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        assert.equal(await overflows(page), false, `wider than its window of ${width} px`)
        assert.deepEqual(await axeFaults(page), [], `${width} px, ${colorScheme}`)
      }
      await page.close()
    })
  }
  dashboard.assertQuiet()
})
