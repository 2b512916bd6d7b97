import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DashboardView } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import type { Page } from 'playwright-core'
import { needing } from '../support/programs.ts'
import { seedFleet } from './fleet.ts'
import { axeFaults, type Dashboard, overflows, settled, startDashboard } from './support.ts'

const ADMIN = 'the-admin-token-of-the-tests'
/** SCREENSHOTS=<folder> also keeps a picture of every page in it. */
const PICTURES = process.env.SCREENSHOTS
/** An id says nothing to a person, who reads a name in the heading. */
const GENERATED_ID = /-[0-9a-z]{22}/
const LOOKS = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const

const { name, skip } = needing(
  'chromium',
  'every page of the distribution, also of single records, is whole and accessible in both themes and widths, with a fleet and without',
)
test(name, { skip, timeout: 3_600_000 }, async (t) => {
  for (const store of ['fleet', 'empty'] as const)
    await t.test(store, async (t) => {
      await using dashboard = await startDashboard({
        plugins: standardPlugins,
        config: { tasks: { maxRetries: 0 } },
        env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on', PLUGIN_TOOLS_ENABLED: '1', PATH: process.env.PATH ?? '' },
      })
      const paths = [...(await menuOf(dashboard)), ...(store === 'fleet' ? await records(dashboard) : [])]
      const tab = await lifted(dashboard)
      for (const path of paths)
        await t.test(path, async () => {
          const page = await tab(path === '/' ? '/' : `/dashboard${path}`)
          await settled(page)
          assert.deepEqual(await page.locator('.state.refused').allInnerTexts(), [])
          assert.doesNotMatch((await page.locator('h1').textContent()) ?? '', GENERATED_ID)
          for (const [width, colorScheme] of LOOKS) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            await page.setViewportSize({ width, height: 900 })
            if (PICTURES) await picture(page, join(PICTURES, `${store}-${width}-${colorScheme}`), path)
            assert.equal(await overflows(page), false, `wider than its window of ${width} px`)
            assert.deepEqual(await axeFaults(page), [], `${width} px, ${colorScheme}`)
          }
          await page.close()
        })
      dashboard.assertQuiet()
    })
})

async function menuOf({ gateway }: Dashboard): Promise<readonly string[]> {
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
  const paths = pages.filter(({ menu }) => menu).map(({ path }) => path)
  assert.ok(paths.length > 40, `${paths.length} pages`)
  return ['/', ...paths.filter((path) => path !== '/')]
}

/** Fills the store, and returns the pages of its records. */
async function records({ gateway }: Dashboard): Promise<readonly string[]> {
  const seeded = await seedFleet(gateway)
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live', label: 'Ann’s laptop' })
  return [
    `/tasks/${seeded.task}`,
    `/swarms/${seeded.swarm}`,
    `/schedules/${seeded.schedule}`,
    `/sessions/${seeded.session}`,
    `/runs/${seeded.run}`,
    `/mailbox/threads/${seeded.thread}`,
    `/webhooks/${seeded.webhook}`,
    '/agents/ada',
    '/repos/api',
    '/tenants/acme',
    '/brain/diff',
  ]
}

/** Opens tabs of a browser that has the operator’s rights. */
async function lifted(dashboard: Dashboard): Promise<(path: string) => Promise<Page>> {
  const tab = await dashboard.tabs()
  const first = await tab('/')
  await settled(first)
  await first.getByLabel('Your account').click()
  await first.getByRole('button', { name: 'Lift with the operator’s token …' }).click()
  await first.getByLabel('Operator’s token').fill(ADMIN)
  await first.keyboard.press('Enter')
  await first.getByText('Operator’s rights: 15 min').waitFor()
  await first.close()
  return tab
}

async function picture(page: Page, folder: string, path: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${path.replaceAll('/', '_').replace(/^_$/, '_overview')}.png`), fullPage: true })
}
