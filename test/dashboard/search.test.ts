import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { needing } from '../support/programs.ts'
import { settled, startDashboard } from './support.ts'

test('each family’s data is found by its words, and a mistyped word finds it too', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  await call('tasks_create', { repo: 'web', title: 'Paint the onboarding page' })
  await call('swarm_plan', { goal: 'Renovate the cellar', repo: 'web', children: [{ title: 'Dig' }] })
  await call('mail_send', { from: 'ada', to: 'bob', subject: 'Vouchers for lunch', body: 'They are here.' })
  await call('memory_store', { content: 'Avatars are cached for a day.', repo: 'web' })
  await call('brain_commit', { kind: 'memory', slug: 'retries', content: '# Retries\n\nThe backoff doubles.' })
  await call('repos_upsert', { name: 'storefront', gitRemote: 'https://example.org/storefront.git' })
  await call('runner_heartbeat', { machine: 'anvil' })
  await call('schedules_create', { name: 'Morning triage', cronExpr: '0 9 * * *', kind: 'agent', target: 'planner', message: 'Plan.' })
  await call('job_history_record', {
    repo: 'web',
    status: 'failed',
    resultLine: 'Compilation stopped',
    startedAtMs: gateway.clock.now() - 60_000,
    durationSeconds: 5,
    logFile: 'a.log',
  })
  const kinds = async (q: string): Promise<string[]> => {
    const { hits, failed } = (await gateway.inject({ method: 'GET', url: `/api/dashboard/search?q=${encodeURIComponent(q)}` })).json()
    assert.deepEqual(failed, [])
    return hits.map(({ kind }: { kind: string }) => kind)
  }
  for (const [kind, q, mistyped] of [
    ['task', 'onboarding', 'onbaording'],
    ['swarm', 'renovate', 'renovte'],
    ['mail', 'vouchers', 'vuochers'],
    ['memory', 'avatars cached', undefined],
    ['brain', 'backoff', undefined],
    ['repo', 'storefront', 'storefornt'],
    ['runner', 'anvil', 'anvli'],
    ['schedule', 'triage', 'traige'],
    ['agent', 'planner', 'plannre'],
    ['run', 'compilation', 'complation'],
    ['audit', 'mail_send', undefined],
  ] as const) {
    assert.ok((await kinds(q)).includes(kind), `${q} finds a ${kind}`)
    if (mistyped) assert.ok((await kinds(mistyped)).includes(kind), `${mistyped} finds a ${kind}`)
  }
})

const { name, skip } = needing('chromium', 'Ctrl K finds a task by a mistyped word and opens it, and finds an action on rows by its name')
test(name, { skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const { task } = await dashboard.gateway.call('tasks_create', { repo: 'web', title: 'Paint the onboarding page' }, { via: 'rest' })
  const page = await dashboard.open('/')
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('onbaordin')
  await page.getByRole('option', { name: /Paint the onboarding page/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/dashboard/tasks/${task.taskId}$`))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('let it run')
  await page.getByRole('option', { name: /Let it run.*choose in Tasks/ }).click()
  await page.waitForURL(/\/dashboard\/tasks$/)
  dashboard.assertQuiet()
})
