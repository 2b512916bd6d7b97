import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DashboardView } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

const IDS = ['dashboard', 'mailbox', 'sessions', 'schedules']

test('each page that says so has the title of its record as its heading, which the families answer', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins.filter(({ id }) => IDS.includes(id)) })
  const get = async (url: string) => (await gateway.inject({ method: 'GET', url })).json()
  const { pages } = (await get('/api/dashboard/pages')) as DashboardView
  const { schedule } = await gateway.call('schedules_create', { name: 'Triage', cronExpr: '0 7 * * *', kind: 'tool', target: 'mail_inbox' })
  const { message } = await gateway.call('mail_send', { from: 'ada', to: 'bob', subject: 'The gate', body: 'It creaks.' })
  const { message: bare } = await gateway.call('mail_send', { from: 'ada', to: 'bob', subject: '', body: 'It creaks.' })
  await gateway.call('sessions.begin', { sessionId: 'cc-1', host: 'claude-code' })
  const titles: Record<string, Record<string, string>> = {
    schedule: { [schedule.scheduleId]: 'Triage' },
    mail: { [message.messageId]: 'The gate', [bare.messageId]: 'Mail from ada' },
    session: { 'cc-1': 'Session of claude-code' },
  }
  const kinds = pages.flatMap(({ heading }) => (typeof heading === 'object' ? [heading.titleOf] : []))
  assert.deepEqual(kinds.toSorted(), Object.keys(titles).toSorted())
  for (const kind of kinds) {
    const ids = Object.keys(titles[kind] ?? {}).map((id) => `&ids=${id}`)
    assert.deepEqual((await get(`/api/dashboard/titles?kind=${kind}${ids.join('')}`)).titles, titles[kind])
  }
})

const renamed = needing(
  'chromium',
  'the heading of a page follows the title of its record, and a title that could not be read is read again',
)
test(renamed.name, { skip: renamed.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const { schedule } = await gateway.call('schedules_create', { name: 'Triage', cronExpr: '0 7 * * *', kind: 'tool', target: 'mail_inbox' })
  const page = await dashboard.open('/')
  await settled(page)
  const titles = '**/api/dashboard/titles?*'
  await page.route(titles, (route) => route.abort())
  await page.goto(`${gateway.url}/dashboard/schedules/${schedule.scheduleId}`)
  await settled(page)
  const heading = page.getByRole('heading', { level: 1 })
  assert.notEqual(await heading.textContent(), 'Triage')
  await page.unroute(titles)
  for (const name of ['Sorting', 'Sweeping']) {
    await gateway.call('schedules_update', { scheduleId: schedule.scheduleId, name })
    await heading.filter({ hasText: name }).waitFor()
  }
})
