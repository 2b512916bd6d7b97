import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { root } from '../../scripts/workspaces.mjs'
import { needing } from '../support/programs.ts'
import { seedFleet } from './fleet.ts'
import { settled, startDashboard } from './support.ts'

const images = join(root, 'docs', 'images')
const UPDATE = Boolean(process.env.UPDATE_SCREENSHOTS)

// UPDATE_SCREENSHOTS=1 retakes the screenshots of docs/dashboard.md.
const { name, skip } = needing('chromium', 'the pages that the tour has pictures of show what it tells of')
test(name, { skip, timeout: 180_000 }, async (t) => {
  const config = { tasks: { maxRetries: 0 } }
  await using dashboard = await startDashboard({ plugins: standardPlugins, config, env: { PLUGIN_TOOLS_ENABLED: '1' } })
  const { task } = await seedFleet(dashboard.gateway)
  const pictures = [
    ['overview', '/', 'light'],
    ['tasks', '/dashboard/tasks', 'light'],
    ['task', `/dashboard/tasks/${task}`, 'dark'],
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
