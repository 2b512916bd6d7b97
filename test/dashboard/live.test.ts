import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/ports.ts'
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
  // The rows of the table above move the board down by the height of one.
  await page
    .locator('.board li')
    .first()
    .hover({ position: { x: 20, y: 70 } })
  await dashboard.gateway.call('tasks_create', { repo: 'org/api', title: 'Waits its turn', priority: 'P0' }, { via: 'rest' })
  await page.getByRole('button', { name: '1 new' }).first().waitFor()
  assert.equal(await titles.filter({ hasText: 'Waits its turn' }).count(), 0)
  await page.mouse.move(0, 0)
  await titles.filter({ hasText: 'Waits its turn' }).waitFor()
  assert.equal(await page.evaluate('window.kept'), true)
  dashboard.assertQuiet()
})

const restarted = needing('chromium', 'a page goes on by itself after the gateway was started anew, and shows what has changed meanwhile')
test(restarted.name, { skip: restarted.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard({ env: { GATEWAY_PORT: String(await freePort()) } })
  const { gateway } = dashboard
  const page = await dashboard.open('/dashboard/tasks')
  await settled(page)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.evaluate('window.kept = true')
  const restarting = gateway.restart()
  await page.getByText('Not connected').waitFor()
  await restarting
  await gateway.call('tasks_create', { repo: 'org/api', title: 'Made meanwhile' }, { via: 'rest' })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Made meanwhile').first().waitFor()
  await gateway.call('tasks_create', { repo: 'org/api', title: 'Made afterwards' }, { via: 'rest' })
  await page.getByText('Made afterwards').first().waitFor()
  assert.equal(await page.evaluate('window.kept'), true)
  dashboard.assertQuiet()
})

const silent = needing('chromium', 'a stream that has gone silent is begun anew')
test(silent.name, { skip: silent.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/health')
  let streams = 0
  await page.route('**/api/dashboard/events', async (route) => {
    streams += 1
    // The first stream stays silent.
    if (streams > 1) await route.continue()
  })
  await page.clock.install()
  await page.goto(`${dashboard.gateway.url}/dashboard/tasks`)
  await settled(page)
  assert.equal(await page.getByText('Live', { exact: true }).count(), 0)
  await page.clock.fastForward(46_000)
  await page.clock.runFor(1_000)
  await page.getByText('Live', { exact: true }).waitFor()
  assert.equal(streams, 2)
})

const crowded = needing(
  'chromium',
  'where there is no room for a stream the page asks every ten seconds, and for a stream again after a minute',
)
test(crowded.name, { skip: crowded.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/health')
  let streams = 0
  await page.route('**/api/dashboard/events', async (route) => {
    streams += 1
    if (streams === 1) await route.fulfill({ status: 503, json: { error: 'Too many dashboards are open.', code: 'UNAVAILABLE' } })
    else await route.continue()
  })
  await page.clock.install()
  await page.goto(`${dashboard.gateway.url}/dashboard/tasks`)
  await settled(page)
  await page.getByText('Asks every 10 s').waitFor()
  await dashboard.gateway.call('tasks_create', { repo: 'org/api', title: 'Created elsewhere' }, { via: 'rest' })
  await page.clock.runFor(11_000)
  await page.getByText('Created elsewhere').first().waitFor()
  assert.equal(streams, 1)
  await page.clock.runFor(60_000)
  await page.getByText('Live', { exact: true }).waitFor()
  assert.equal(streams, 2)
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
