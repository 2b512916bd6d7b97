import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const DAY = 86_400
/** Each answer costs 2,000 tokens at 100 and 1,000 tokens at 500 USD a million. */
const COST = 0.7

const model = createServer((request, response) => {
  request.resume().on('end', () => {
    const usage = { prompt_tokens: 2_000, completion_tokens: 1_000 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content: 'Ship it.' }, finish_reason: 'stop' }], usage }))
  })
})

let folder: string
let gateway: TestGateway
before(async () => {
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'gateway-overview-'))
  await mkdir(join(folder, 'root'))
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
  const prices = { small: { inputPerMTok: 100, outputPerMTok: 500 } }
  const models = { budget: 'small', standard: 'small', premium: 'small', ultra: 'small' }
  gateway = await startTestGateway({
    plugins: standardPlugins,
    env: { GATEWAY_EMBEDDINGS: 'off', GATEWAY_ROOT: join(folder, 'root'), PATH: process.env.PATH ?? '' },
    config: {
      providers: { providers: { local: { wire: 'openai', baseUrl, models, prices } } },
      budgets: { dailyCapUsd: 10 },
    },
  })
  await register('docs', ['.gateway/STATE.md', '.gateway/HANDOFF.md'])
  await register('api', [])
  await register('web', ['.gateway/STATE.md', '.gateway/HANDOFF.md'])
  for (const repo of ['web', 'docs']) {
    await gateway.call('handoff_write', { repo, content: 'done so far' })
    await utimes(join(folder, repo, '.gateway', 'HANDOFF.md'), 0, 0)
  }
})
after(async () => {
  await gateway.stop()
  await rm(folder, { recursive: true, force: true })
  model.closeAllConnections()
  model.close()
})

async function register(name: string, files: readonly string[]): Promise<void> {
  const path = join(folder, name)
  for (const file of files) {
    await mkdir(join(path, file, '..'), { recursive: true })
    await writeFile(join(path, file), '# x\n')
  }
  await mkdir(path, { recursive: true })
  execFileSync('git', ['init', '-q', path])
  await gateway.call('repos_upsert', { name, path })
}
const tasks = async (repo: string, count: number, status?: string): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const { task } = await gateway.call('tasks_create', { repo, title: `${repo} ${n}` })
    if (status !== undefined) await gateway.call('tasks_update', { taskId: task.taskId, status })
  }
}

test('in the standard set every part of fleet_overview is there, with the values that the families tell themselves', async () => {
  await tasks('web', 2)
  await tasks('web', 1, 'blocked')
  await tasks('web', 1, 'done')
  await gateway.call('schedules_create', { name: 'n', cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list' })
  await gateway.call('agents_invoke', { agent: 'project-manager', message: 'Plan.' })
  await gateway.call('agents_invoke', { agent: 'project-manager', message: 'Plan.' })
  const shown = await gateway.call('fleet_overview')
  assert.deepEqual(shown.missing, [])
  assert.deepEqual(shown.spendToday, { usd: 2 * COST, dailyCapUsd: 10, state: 'ok' })
  assert.equal(shown.spendToday.usd, (await gateway.call('budgets_status')).todayUsd)
  assert.deepEqual(shown.repoHealth.figures, { count: 3, ok: 2, incomplete: 1, missing: 0, unknown: 0 })
  assert.deepEqual(shown.queue.byStatus, { pending: 2, working: 0, review: 0, done: 1, blocked: 1, paused: 0, dead_letter: 0 })
  assert.equal(shown.schedules.active, 1)
})

test('repos_priority, fleet_overview and morning_sweep rank repos alike, with the same reasons', async () => {
  // A repo with known tasks only: 2 open tasks weigh 4, and no handoff 20.
  await tasks('unlisted', 2)
  // The handoffs of web and docs are 10 days old by then.
  gateway.clock.advance(10 * DAY)
  const { repos } = await gateway.call('repos_priority')
  const wanted = [
    ['api', 50, ['it has no framework folder', 'it has no handoff']],
    ['unlisted', 24, ['it has no handoff', '2 open tasks']],
    ['web', 19, ['its handoff is 10 days old', '3 open tasks, 1 of them stuck']],
    ['docs', 10, ['its handoff is 10 days old']],
  ]
  type Row = { name: string; attention: number; reasons: string[] }
  assert.deepEqual(
    repos.map(({ name, attention, reasons }: Row) => [name, attention, reasons]),
    wanted,
  )
  const { attention, repoHealth } = await gateway.call('fleet_overview')
  type Worried = { repo: string; weight: number; reasons: string[] }
  assert.deepEqual(
    repoHealth.worried.map(({ repo, weight, reasons }: Worried) => [repo, weight, reasons]),
    wanted,
  )
  assert.deepEqual(attention, repoHealth.worried.slice(0, 3))
  const morning = await gateway.call('morning_sweep', { topN: 2 })
  assert.deepEqual(
    morning.repos.map(({ repo, score, reasons }: { repo: string; score: number; reasons: string[] }) => [repo, score, reasons]),
    wanted,
  )
  assert.deepEqual(
    morning.briefs.map(({ repo }: { repo: string }) => repo),
    ['api', 'unlisted'],
  )
  assert.match(morning.report, /\| docs \| 0 \| 0 \| 0 \| 0 \| 0 \| its handoff is 10 days old \|/)
})

test('morning_sweep refuses an agent that nobody knows, and makes no call', async () => {
  const before = (await gateway.call('budgets_status')).monthToDateUsd
  for (const topN of [0, 3])
    await assert.rejects(
      gateway.call('morning_sweep', { agent: 'nobody-of-that-name', topN }),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, 'NOT_FOUND')
        assert.match(error.message, /agent.*nobody-of-that-name/)
        return true
      },
    )
  assert.equal((await gateway.call('budgets_status')).monthToDateUsd, before)
  assert.equal((await gateway.call('morning_sweep', { agent: 'summarizer', topN: 1 })).briefs[0].by, 'agent')
})

test('a part that a family does not report is missing for the reason that is true', async () => {
  await using bare = await startTestGateway({
    plugins: standardPlugins.filter(({ id }) => id !== 'budgets'),
    env: { GATEWAY_EMBEDDINGS: 'off' },
  })
  const { missing, spendToday } = await bare.call('fleet_overview')
  assert.equal(spendToday, null)
  assert.deepEqual(missing, [{ part: 'spendToday', why: 'It needs the plugin budgets, which is not enabled here.' }])
  await using off = await startTestGateway({
    plugins: standardPlugins,
    config: { budgets: { enabled: false } },
    env: { GATEWAY_EMBEDDINGS: 'off' },
  })
  assert.deepEqual((await off.call('fleet_overview')).missing, [
    { part: 'spendToday', why: 'Spend is not counted: budgets.enabled is false.' },
  ])
})
