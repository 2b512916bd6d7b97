import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const ADMIN = 'the-admin-token-of-the-tests'

/** Types into the palette and opens the result, without a pointer. */
async function palette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Page or action' }).waitFor()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}

/** Presses Tab until the focused element has this accessible name; an element that Tab does not reach is inaccessible. */
async function tabTo(page: Page, name: string | RegExp, most = 120): Promise<void> {
  for (let step = 0; step < most; step++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(
      `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? (e.labels?.[0]?.innerText || e.innerText || '') })()`,
    )
    if (typeof name === 'string' ? focused.trim() === name : name.test(focused)) return
  }
  assert.fail(`Tab does not reach ${name}`)
}

const journeys: readonly { readonly promise: string; readonly walk: (page: Page, call: Call) => Promise<void> }[] = [
  {
    promise: 'a task is found by the palette and a filter, and read',
    async walk(page, call) {
      await call('tasks_create', { repo: 'org/api', title: 'Mend the gate', description: 'It **creaks**.' })
      await call('tasks_create', { repo: 'org/web', title: 'Paint the fence' })
      await palette(page, 'tasks')
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
      await settled(page)
      await tabTo(page, 'Repo')
      await page.keyboard.type('org/api')
      await page.keyboard.press('Enter')
      await page.waitForURL(/repo=org%2Fapi/)
      await settled(page)
      await tabTo(page, 'Mend the gate')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/dashboard\/tasks\/task-/)
      await page.locator('strong', { hasText: 'creaks' }).waitFor()
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1')
    },
  },
  {
    promise: 'a swarm is approved after a dialog that names it',
    async walk(page, call) {
      const { swarm } = await call('swarm_plan', {
        goal: 'Ship the release',
        repo: 'org/api',
        children: [{ title: 'Tag it' }, { title: 'Tell of it' }],
      })
      await page.goto(`${new URL(page.url()).origin}/dashboard/swarms/${swarm.swarmId}`)
      await settled(page)
      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Approve' })
      await dialog.getByText('Ship the release').waitFor()
      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.badge', { hasText: 'active' }).first().waitFor()
      assert.equal((await call('swarm_get', { swarmId: swarm.swarmId })).swarm.status, 'active')
    },
  },
  {
    promise: 'an action of a page runs from the palette, with a form, and leads to what it made',
    async walk(page) {
      await palette(page, 'new task')
      await page.getByRole('dialog', { name: 'New task' }).waitFor()
      await page.keyboard.type('org/api')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Made by keyboard')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/dashboard\/tasks\/task-/)
      await page.getByText('Made by keyboard').first().waitFor()
    },
  },
  {
    promise: 'a dead letter is found in what waits, and replayed with the choice on its card',
    async walk(page, call) {
      const { task } = await call('tasks_create', { repo: 'org/dead', title: 'Broken for good' })
      await call('tasks_update', { taskId: task.taskId, status: 'dead_letter' })
      await palette(page, 'overview')
      await page.getByText('“Broken for good” has failed for good').waitFor()
      await tabTo(page, /^Task “Broken for good” has failed/)
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/dashboard/tasks/${task.taskId}`))
      await page.goto(`${new URL(page.url()).origin}/dashboard/tasks?repo=org%2Fdead`)
      await settled(page)
      await tabTo(page, 'Move Broken for good to')
      await page.keyboard.type('Pend')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText('Move: done').waitFor()
      assert.equal((await call('tasks_list', { repo: 'org/dead' })).tasks[0].status, 'pending')
    },
  },
  {
    promise: 'several rows are done at once, each with its verdict',
    async walk(page) {
      await palette(page, 'a few')
      await settled(page)
      await tabTo(page, 'Select all of Table')
      await page.keyboard.press('Space')
      await tabTo(page, 'Remove')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Row 3').waitFor()
      await tabTo(page, 'Type how many they are to continue')
      await page.keyboard.type('6')
      await tabTo(page, 'Remove')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Remove: 5 done, 1 refused' }).waitFor()
      assert.equal(await dialog.locator('li.bad').count(), 1)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  },
  {
    promise: 'a task is deleted after its name was shown, and the deletion is undone',
    async walk(page, call) {
      const { task } = await call('tasks_create', { repo: 'org/undo', title: 'Deleted too soon' })
      await page.goto(`${new URL(page.url()).origin}/dashboard/tasks/${task.taskId}`)
      await settled(page)
      await tabTo(page, 'Delete')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Delete' })
      await dialog.getByText('Deleted too soon').waitFor()
      await tabTo(page, 'Delete')
      await page.keyboard.press('Enter')
      await page.getByText('Delete: done').waitFor()
      assert.deepEqual((await call('tasks_list', { repo: 'org/undo' })).tasks, [])
      await tabTo(page, 'Undo')
      await page.keyboard.press('Enter')
      await page.getByText('Delete: undone').waitFor()
      assert.equal((await call('tasks_list', { repo: 'org/undo' })).tasks[0].taskId, task.taskId)
    },
  },
  {
    promise: 'a key is made and shown once, and is void once its id was typed to revoke it',
    async walk(page) {
      await palette(page, 'api keys')
      await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
      await settled(page)
      await tabTo(page, 'New key')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New key' }).waitFor()
      await page.keyboard.type('crawler')
      await page.keyboard.press('Enter')
      const shown = page.getByRole('dialog', { name: 'New key' })
      const [, apiKey = ''] = /(gw_live_\w+)/.exec((await shown.getByText(/gw_live_/).textContent()) ?? '') ?? []
      await page.keyboard.press('Escape')
      await shown.waitFor({ state: 'detached' })
      const { origin } = new URL(page.url())
      const asKey = async (): Promise<number> => (await fetch(`${origin}/api/tasks`, { headers: { 'x-api-key': apiKey } })).status
      assert.equal(await asKey(), 200)
      await page.getByText('crawler').first().waitFor()
      await tabTo(page, /^Revoke: /)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Revoke' })
      const keyId = (await dialog.locator('.object').textContent()) ?? ''
      await page.keyboard.type(keyId)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await asKey(), 401)
    },
  },
  {
    promise: 'a list that is filtered to nothing says so, and the filters are cleared',
    async walk(page) {
      await page.goto(`${new URL(page.url()).origin}/dashboard/tasks?repo=no%2Fsuch`)
      await settled(page)
      await tabTo(page, 'Clear the filters')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.search === '')
    },
  },
  {
    promise: 'the operator lifts the browser where a panel needs it, and reads the panel',
    async walk(page) {
      await palette(page, 'guarded')
      await settled(page)
      await tabTo(page, 'Lift …')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Lift this browser' }).waitFor()
      await page.keyboard.type(ADMIN)
      await page.keyboard.press('Enter')
      await page.getByText('Only the operator reads this.').waitFor()
      await tabTo(page, 'Your account')
      await page.keyboard.press('Enter')
      await tabTo(page, 'Sign out')
      await page.keyboard.press('Enter')
      await page.getByText('Needs the operator’s token').waitFor()
    },
  },
  {
    promise: 'a list that comes in pages goes on where it ended',
    async walk(page) {
      await palette(page, 'paged')
      await settled(page)
      await tabTo(page, 'Show more')
      await page.keyboard.press('Enter')
      await page.getByText('Row 5').waitFor()
      await page.getByText('Row 0').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
    },
  },
]

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Call = (name: string, args: object) => Promise<any>

const { name, skip } = needing('chromium', 'these journeys through the dashboard are made by keyboard alone')
test(name, { skip, timeout: 300_000 }, async (t) => {
  await using dashboard = await startDashboard({ env: { ADMIN_API_TOKEN: ADMIN } })
  for (const { promise, walk } of journeys) {
    await t.test(promise, async () => {
      const page = await dashboard.open('/')
      page.setDefaultTimeout(20_000)
      await settled(page)
      await walk(page, (tool, args) => dashboard.gateway.call(tool, args, { via: 'rest' }))
      await page.close()
    })
  }
  dashboard.assertQuiet()
})
