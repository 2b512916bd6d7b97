import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { axeFaults, overflows, settled, startDashboard } from './support.ts'

const { name, skip } = needing(
  'chromium',
  'every kind of panel, with rows, without, and with what strangers write, is whole and accessible',
)
test(name, { skip, timeout: 900_000 }, async (t) => {
  await using dashboard = await startDashboard()
  const paths = [
    '/',
    '/dashboard/gallery-few',
    '/dashboard/gallery-none',
    '/dashboard/gallery-hostile',
    '/dashboard/gallery-paged',
    '/dashboard/gallery-guarded',
    '/dashboard/no/such',
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    // The narrowest width in WCAG (a page of 1,280 px at 400 %), a phone, and a desktop.
    for (const width of colorScheme === 'light' ? [320, 390, 1440] : [390, 1440]) {
      for (const path of paths) {
        await t.test(`${path} at ${width} px, ${colorScheme}`, async () => {
          const page = await dashboard.open(path, { colorScheme, viewport: { width, height: 900 } })
          await settled(page)
          assert.equal(await overflows(page), false, 'wider than its window')
          assert.equal(await page.evaluate('window.hacked'), undefined)
          if (width !== 320) assert.deepEqual(await axeFaults(page), [])
          await page.close()
        })
      }
    }
  }
  dashboard.assertQuiet()
})
