import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DashboardView } from '@gateway/sdk'
import type { Page } from 'playwright-core'
import { needing } from '../support/programs.ts'
import { fillWith } from './fill.ts'
import { HOSTILE } from './gallery.ts'
import { overflows, settled, startDashboard } from './support.ts'

const ADMIN = 'the-admin-token-of-the-tests'
const texts = Object.values(HOSTILE)

/** Each field begins with a different one, so that short fields get all of them. */
function hostile(): (maxLength: number) => string {
  let turn = 0
  return (maxLength) => {
    const at = turn++ % texts.length
    return [...texts.slice(at), ...texts.slice(0, at)].join(' ').slice(0, maxLength)
  }
}

const { name, skip } = needing(
  'chromium',
  'what strangers write into any field of any family is shown as text on every page and on the pages it leads to: nothing runs, nothing overflows',
)
test(name, { skip, timeout: 600_000 }, async (t) => {
  await using dashboard = await startDashboard({ env: { ADMIN_API_TOKEN: ADMIN } })
  const { gateway } = dashboard
  const took = await fillWith(gateway, hostile())
  for (const tool of [
    'tasks_create',
    'swarm_plan',
    'mail_send',
    'memory_store',
    'brain_commit',
    'traces_record',
    'logs_record',
    'schedules_create',
  ])
    assert.ok(took.includes(tool), tool)
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
  const tab = await dashboard.tabs()
  const seen = new Set<string>()

  async function look(page: Page): Promise<void> {
    await settled(page)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal(await overflows(page), false, `wider than its window of ${width} px`)
    }
    assert.equal(await page.evaluate('window.hacked'), undefined)
  }

  for (const { path } of pages.filter(({ menu, plugin }) => menu && plugin !== 'gallery')) {
    await t.test(path, async () => {
      const page = await tab(`/dashboard${path}`)
      await look(page)
      const hrefs = await page.evaluate<string[]>(
        `[...document.querySelectorAll('main a[href^="/dashboard/"]')].map((link) => link.getAttribute('href'))`,
      )
      // Visits one record of each kind; the menu leads to the rest.
      const records = hrefs.filter((href) => {
        const kind = href.split(/[?#]/)[0]?.split('/').slice(0, 3).join('/') ?? ''
        return href.split('/').length > 3 && !seen.has(kind) && seen.add(kind)
      })
      for (const href of records) {
        await page.goto(gateway.url + href)
        await look(page)
      }
      await page.close()
    })
  }
  assert.ok(seen.size >= 4, `it has looked at records of ${[...seen].join(', ')}`)
  dashboard.assertQuiet()
})
