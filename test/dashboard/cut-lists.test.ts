import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

const MOST_LEASES = 1_000
const MOST_RUNS = 100
const MOST_MAILS = 50

const { name, skip } = needing('chromium', 'a list says that there may be more, if its answer is cut or fills its limit')
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const lease = (index: number) =>
    gateway.call('lease_acquire', { key: `lock-${index}`, holder: 'web/ada', leaseSeconds: 600 }, { via: 'rest' })
  const note = (page: Awaited<ReturnType<typeof dashboard.open>>) => page.getByText('There may be more than is shown.').count()
  for (let index = 0; index < 150; index++) await lease(index)
  const page = await dashboard.open('/dashboard/leases')
  await settled(page)
  assert.equal(await note(page), 0)
  for (let index = 150; index <= MOST_LEASES; index++) await lease(index)
  await page.reload()
  await settled(page)
  assert.equal(await note(page), 1)
  assert.deepEqual(await axeFaults(page), [])

  for (let index = 0; index < MOST_RUNS; index++) {
    await gateway.call('fleet_run_start', { runId: `round-${index}`, type: `kind-${index}` }, { via: 'rest' })
  }
  await page.goto(`${gateway.url}/dashboard/runs`)
  await settled(page)
  assert.equal(await note(page), 1)

  const mail = (index: number) =>
    gateway.call('mail_send', { from: 'ben', to: 'ada', subject: `Mail ${index}`, body: 'Read me.' }, { via: 'rest' })
  for (let index = 1; index < MOST_MAILS; index++) await mail(index)
  await page.goto(`${gateway.url}/dashboard/mailbox?to=ada`)
  await settled(page)
  assert.equal(await note(page), 0)
  await mail(MOST_MAILS)
  await page.reload()
  await settled(page)
  assert.equal(await note(page), 1, 'the limit is the default of the tool')
  await page.goto(`${gateway.url}/dashboard/schedules`)
  await settled(page)
  assert.equal(await note(page), 0)
  dashboard.assertQuiet()
})
