import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

/** Types a letter when the address has the first two, before the page is drawn again, and notes the field's value of each frame. */
const TYPES_ON = `(() => {
  const field = document.querySelector('.filters input[type=text]')
  const replace = history.replaceState.bind(history)
  let typed = false
  window.values = []
  const look = () => { window.values.push(field.value); requestAnimationFrame(look) }
  history.replaceState = (state, unused, address) => {
    replace(state, unused, address)
    if (typed || !/=ta$/.test(address)) return
    typed = true
    field.value = 'tas'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    window.values.length = 0
  }
  look()
})()`

const { name, skip } = needing('chromium', 'letters that are typed while a filter takes effect stay')
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard({ plugins: standardPlugins.filter(({ id }) => id === 'dashboard' || id === 'tenants') })
  const page = await dashboard.open('/dashboard/audit')
  await settled(page)
  await page.evaluate(TYPES_ON)
  await page.locator('.filters input[type=text]').first().pressSequentially('ta')
  await page.waitForURL(/=tas$/)
  assert.deepEqual([...new Set((await page.evaluate('window.values')) as string[])], ['tas'])
  dashboard.assertQuiet()
})

const filters = needing('chromium', 'a filter of white space is none, and one for a number says that a text is none')
test(filters.name, { skip: filters.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  await dashboard.gateway.call('tasks_create', { repo: 'web', title: 'Mend the gate' })
  const page = await dashboard.open('/dashboard/tasks?q=%20')
  await settled(page)
  await page.getByRole('region', { name: 'Queue' }).getByText('Mend the gate').waitFor()
  await page.goto(`${dashboard.gateway.url}/dashboard/brain/log`)
  await settled(page)
  const commits = page.getByRole('combobox', { name: 'Commits' })
  await commits.fill('many')
  await page.getByText('Not a number').waitFor()
  assert.equal(await commits.getAttribute('aria-invalid'), 'true')
  await commits.fill('7')
  await page.getByText('Not a number').waitFor({ state: 'detached' })
  await page.waitForURL(/limit=7$/)
  dashboard.assertQuiet()
})
