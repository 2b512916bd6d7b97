import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const live = needing('chromium', 'a change that is made over the API shows without a reload, and rows hold still under the pointer')
test(live.name, { skip: live.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/dashboard/tasks')
  await settled(page)
  await page.evaluate('window.kept = true')
  await dashboard.gateway.call('tasks_create', { repo: 'org/api', title: 'Came later' }, { via: 'rest' })
  await page.getByText('Came later').first().waitFor()

  const titles = page.locator('.board .title')
  await titles.first().hover()
  await dashboard.gateway.call('tasks_create', { repo: 'org/api', title: 'Waits its turn', priority: 'P0' }, { via: 'rest' })
  await page.getByRole('button', { name: '1 new' }).first().waitFor()
  assert.equal(await titles.filter({ hasText: 'Waits its turn' }).count(), 0)
  await page.mouse.move(0, 0)
  await titles.filter({ hasText: 'Waits its turn' }).waitFor()
  assert.equal(await page.evaluate('window.kept'), true)
  dashboard.assertQuiet()
})

const key = needing('chromium', 'from elsewhere the dashboard asks for a key, keeps it in its tab alone, and says what a role may not see')
test(key.name, { skip: key.skip, timeout: 120_000 }, async () => {
  const local = 'the-local-token-of-the-tests'
  await using dashboard = await startDashboard({ env: { GATEWAY_LOCAL_TOKEN: local, RBAC_ENFORCE: 'on' } })
  // As a proxy in front of the gateway says that somebody else asks.
  const page = await dashboard.open('/', { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } })
  const field = page.getByLabel('API key')
  await field.fill('gw_live_wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await field.fill(local)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal(await page.evaluate('localStorage.length'), 0)
  assert.equal(await page.evaluate('document.cookie'), '')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await field.waitFor()
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  dashboard.assertQuiet()
})

const copied = needing('chromium', 'what a panel asks can be copied as a command that gets the same answer, and as a call of MCP')
test(copied.name, { skip: copied.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const page = await dashboard.open('/dashboard/gallery-few?state=done', { permissions: ['clipboard-read', 'clipboard-write'] })
  await settled(page)
  const copy = async (what: string): Promise<string> => {
    await page.getByLabel('Table: more').click()
    await page.getByRole('button', { name: what }).click()
    await page
      .getByText(`Copied ${what.replace('Copy ', '')}`)
      .last()
      .waitFor()
    return page.evaluate('navigator.clipboard.readText()')
  }
  const curl = await copy('Copy as curl')
  const [, url] = /'(http[^']+)'/.exec(curl) ?? []
  const [, body] = /--data '([^']+)'/.exec(curl) ?? []
  const answer = await fetch(String(url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: String(body) })
  assert.equal(((await answer.json()) as { count: number }).count, 2)
  assert.match(curl, /\$GATEWAY_API_KEY/)
  const call = JSON.parse(await copy('Copy as MCP call')) as { method: string; params: { name: string; arguments: object } }
  assert.equal(call.method, 'tools/call')
  assert.equal((await gateway.call(call.params.name, call.params.arguments)).count, 2)
})
