import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const PATHS = ['/dashboard/schedules', '/dashboard/gallery-few', '/dashboard/tasks', '/dashboard/tasks?view=board', '/dashboard/keys']

/** Opens each menu in turn and returns the entries whose middle is another element. */
const COVERED = `(async () => {
  const covered = []
  for (const menu of document.querySelectorAll('main details.menu')) {
    menu.scrollIntoView({ block: 'center' })
    menu.open = true
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    for (const entry of menu.querySelectorAll(':scope > div button')) {
      const { left, top, width, height } = entry.getBoundingClientRect()
      const found = document.elementFromPoint(left + width / 2, top + height / 2)
      if (!entry.contains(found)) covered.push(menu.querySelector('summary').title + ': ' + entry.textContent + ' is under ' + found?.textContent)
    }
    menu.open = false
  }
  return { covered, menus: document.querySelectorAll('main details.menu').length }
})()`

const { name, skip } = needing('chromium', 'a click on an entry of a menu reaches that entry, whatever lies below the menu')
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  for (let index = 0; index < 8; index++) {
    const schedule = { name: `Round ${index}`, cronExpr: '0 3 * * *', kind: 'tool', target: 'tasks_list', message: '{}' }
    await gateway.call('schedules_create', schedule, { via: 'rest' })
    await gateway.call('tasks_create', { repo: 'org/api', title: `Task ${index}` }, { via: 'rest' })
  }
  const page = await dashboard.open('/dashboard')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of PATHS) {
      await page.goto(gateway.url + path)
      await settled(page)
      const { covered, menus } = await page.evaluate<{ covered: string[]; menus: number }>(COVERED)
      assert.deepEqual(covered, [], `${path} at ${width} px`)
      assert.ok(menus > 0)
    }
  }
  dashboard.assertQuiet()
})
