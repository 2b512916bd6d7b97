import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/workspaces.mjs'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const images = join(root, 'docs', 'images')
const UPDATE = Boolean(process.env.UPDATE_SCREENSHOTS)

// UPDATE_SCREENSHOTS=1 retakes the screenshots of docs/dashboard.md.
const { name, skip } = needing('chromium', 'the pages that the tour has pictures of show what it tells of')
test(name, { skip, timeout: 180_000 }, async (t) => {
  await using dashboard = await startDashboard({ config: { tasks: { maxRetries: 0 } } })
  const { gateway } = dashboard
  // The browser shows times by its own clock.
  gateway.clock.advance((Date.now() - gateway.clock.now()) / 1_000)
  const create = async (title: string, priority: string, more: object = {}): Promise<string> =>
    (await gateway.call('tasks_create', { repo: 'org/api', title, priority, ...more })).task.taskId
  const claim = (taskId: string, claimedBy: string) => gateway.call('tasks_claim', { taskId, claimedBy })
  const gate = await create('Mend the gate', 'P1')
  await create('Paint the fence', 'P2', { dependsOn: [gate] })
  const hinge = await create('Oil the hinges', 'P0')
  const done = await create('Count the posts', 'P2')
  await create('Plant a hedge', 'P3')
  await claim(gate, 'ada')
  const { task } = await claim(done, 'ada')
  await gateway.call('tasks_update', { taskId: done, status: 'done', claimId: task.claimId })
  const tried = await claim(hinge, 'bob')
  await gateway.call('tasks_fail', { taskId: hinge, claimId: tried.task.claimId, error: 'There is no oil.' })
  await gateway.call('mail_send', { from: 'ada', to: 'bob', subject: 'The gate', body: 'It creaks, but it closes.' })
  for (const [slug, content] of [
    ['gate', '# The gate\n\nIts hinges are oiled in spring.'],
    ['fence', '# The fence\n\nTwelve posts; the third is loose.'],
  ])
    await gateway.call('brain_commit', { kind: 'memory', slug, content })

  const pictures = [
    ['overview', '/', 'light'],
    ['tasks', '/dashboard/tasks', 'light'],
    ['task', `/dashboard/tasks/${gate}`, 'dark'],
    ['brain', '/dashboard/brain/log', 'light'],
  ] as const
  for (const [picture, path, colorScheme] of pictures) {
    await t.test(picture, async () => {
      const file = join(images, `dashboard-${picture}.png`)
      const page = await dashboard.open(path, { colorScheme, viewport: { width: 1280, height: 800 } })
      await settled(page)
      assert.deepEqual(await page.locator('.state.refused').allInnerTexts(), [])
      if (UPDATE) {
        mkdirSync(images, { recursive: true })
        await page.screenshot({ path: file })
      }
      assert.ok(existsSync(file), `${file} is missing: UPDATE_SCREENSHOTS=1 takes it`)
      await page.close()
    })
  }
  dashboard.assertQuiet()
})
