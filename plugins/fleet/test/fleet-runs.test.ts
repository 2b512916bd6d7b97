import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { at, of, start, type TestGateway } from './support.ts'

const open = async (gateway: TestGateway, args: object = {}) => (await gateway.call('fleet_run_start', args)).run
const report = async (gateway: TestGateway, args: object) => (await gateway.call('fleet_run_repo_update', { runId: 'r1', ...args })).run
const finish = async (gateway: TestGateway, status: string, runId = 'r1') => (await gateway.call('fleet_run_finish', { runId, status })).run
const latest = async (gateway: TestGateway) => (await gateway.call('fleet_run_latest')).run

test('a run is opened with what is known of each repo, and keeps all of it', async () => {
  await using gateway = await start()
  const repos = [
    { repo: 'web', overnight: { commits: 3, 'ci.status': 'red', $note: ['x'] }, recommendation: 'fix the build' },
    { repo: 'api', decision: 'ship it', action: 'ship', actionStatus: 'in-progress', detail: 'd', prUrl: 'https://x/1' },
    { repo: 'docs' },
  ]
  const run = await open(gateway, { runId: 'r1', type: 'nightly', machine: 'forge', agent: 'ada', repos })
  const said = { runId: 'r1', type: 'nightly', machine: 'forge', agent: 'ada', status: 'running' }
  const shown = repos.map((repo) => ({ actionStatus: 'pending', ...repo, updatedAt: at(gateway) }))
  assert.deepEqual(run, { ...said, startedAt: at(gateway), updatedAt: at(gateway), repos: shown })
  assert.deepEqual(await latest(gateway), run)
})

test('everything may be left out: the run gets an id, and is a morning-resume-all', async () => {
  await using gateway = await start()
  const run = await open(gateway)
  assert.match(run.runId, /^fleet-run-\w+$/)
  assert.deepEqual([run.type, run.repos, run.status], ['morning-resume-all', [], 'running'])
})

test('a run of the same id is replaced whole, also a finished one', async () => {
  await using gateway = await start()
  await open(gateway, { runId: 'r1', machine: 'forge', repos: [{ repo: 'web' }] })
  await finish(gateway, 'aborted')
  gateway.clock.advance(1)
  const { run, replaced } = await gateway.call('fleet_run_start', { runId: 'r1', repos: [{ repo: 'api' }] })
  assert.equal(replaced, true)
  assert.deepEqual([run.status, run.machine, run.finishedAt, run.startedAt], ['running', undefined, undefined, at(gateway)])
  assert.deepEqual(
    run.repos.map(({ repo }: { repo: string }) => repo),
    ['api'],
  )
  assert.equal((await gateway.call('fleet_run_list')).runs.length, 1)
})

test('a report changes one repo and what it says, and nothing else', async () => {
  await using gateway = await start()
  const before = await open(gateway, { runId: 'r1', repos: [{ repo: 'web', mood: 'grim', detail: 'old' }, { repo: 'api' }] })
  gateway.clock.advance(5)
  const said = { decision: 'go', action: 'wrap-up', actionStatus: 'done', prUrl: 'https://x/2', recommendation: 'rest' }
  const run = await report(gateway, { repo: 'web', ...said })
  assert.deepEqual(run.repos, [{ repo: 'web', mood: 'grim', detail: 'old', ...said, updatedAt: at(gateway) }, before.repos[1]])
  assert.deepEqual([run.updatedAt, run.startedAt], [at(gateway), before.startedAt])
  assert.deepEqual(await latest(gateway), run)
})

test('every action and every status is taken, and no other', async () => {
  await using gateway = await start()
  await open(gateway, { runId: 'r1' })
  for (const action of ['ship', 'fix', 'merge', 'test', 'wrap-up', 'skip']) {
    assert.equal((await report(gateway, { repo: 'web', action })).repos[0].action, action)
  }
  for (const actionStatus of ['pending', 'in-progress', 'done', 'failed', 'skipped']) {
    assert.equal((await report(gateway, { repo: 'web', actionStatus })).repos[0].actionStatus, actionStatus)
  }
  await assert.rejects(report(gateway, { repo: 'web', action: 'burn' }), refusal('BAD_REQUEST', 'action'))
  await assert.rejects(report(gateway, { repo: 'web', actionStatus: 'lost' }), refusal('BAD_REQUEST', 'actionStatus'))
})

test('a repo the run does not know joins it', async () => {
  await using gateway = await start()
  await open(gateway, { runId: 'r1', repos: [{ repo: 'web' }] })
  const { repos } = await report(gateway, { repo: 'api', detail: 'late' })
  assert.deepEqual(repos[1], { repo: 'api', detail: 'late', actionStatus: 'pending', updatedAt: at(gateway) })
})

test('of reports at the same time none is lost', async () => {
  await using gateway = await start()
  await open(gateway, { runId: 'r1' })
  await Promise.all(Array.from({ length: 30 }, (_, n) => report(gateway, { repo: `repo-${n}`, actionStatus: 'done' })))
  assert.equal((await latest(gateway)).repos.length, 30)
})

test('a run is closed as completed or aborted, once; asked the same again it stays as it is', async () => {
  await using gateway = await start()
  for (const [status, other] of [
    ['completed', 'aborted'],
    ['aborted', 'completed'],
  ] as const) {
    await open(gateway, { runId: 'r1' })
    const run = await finish(gateway, status)
    assert.deepEqual([run.status, run.finishedAt], [status, at(gateway)])
    gateway.clock.advance(1)
    assert.deepEqual(await finish(gateway, status), run)
    await assert.rejects(finish(gateway, other), { code: 'CONFLICT' })
    await assert.rejects(report(gateway, { repo: 'web' }), { code: 'CONFLICT' })
    assert.deepEqual(await latest(gateway), run)
  }
  await assert.rejects(finish(gateway, 'running'), refusal('BAD_REQUEST', 'status'))
})

test('a run that is not there is not reported on, nor closed', async () => {
  await using gateway = await start()
  await assert.rejects(report(gateway, { repo: 'web' }), { code: 'NOT_FOUND' })
  await assert.rejects(finish(gateway, 'aborted'), { code: 'NOT_FOUND' })
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/fleet/runs/r1' })).status, 404)
})

test('the latest run is the one that was started last, not the one that changed last; null when there is none', async () => {
  await using gateway = await start()
  assert.equal(await latest(gateway), null)
  await open(gateway, { runId: 'r1' })
  gateway.clock.advance(1)
  await open(gateway, { runId: 'r0' })
  gateway.clock.advance(1)
  await report(gateway, { repo: 'web' })
  assert.equal((await latest(gateway)).runId, 'r0')
})

test('the list has the newest first, 20 unless asked, 100 at most, with how far their repos are', async () => {
  await using gateway = await start()
  const repos = ['done', 'done', 'failed', undefined].map((actionStatus, n) => ({ repo: `r${n}`, ...(actionStatus && { actionStatus }) }))
  for (let n = 0; n < 22; n++) {
    await open(gateway, { runId: `run-${n}`, repos })
    gateway.clock.advance(1)
  }
  const { runs } = await gateway.call('fleet_run_list')
  assert.deepEqual([runs.length, runs[0].runId, runs[19].runId], [20, 'run-21', 'run-2'])
  assert.deepEqual(runs[0].progress, { pending: 1, 'in-progress': 0, done: 2, failed: 1, skipped: 0 })
  assert.equal(runs[0].repoCount, 4)
  assert.equal((await gateway.call('fleet_run_list', { limit: 5_000 })).runs.length, 22)
  assert.equal((await gateway.call('fleet_run_list', { limit: 1 })).runs.length, 1)
  await assert.rejects(gateway.call('fleet_run_list', { limit: 0 }), refusal('BAD_REQUEST', 'limit'))
})

test('a repo stands in a run once, has a name, and there are 200 at most', async () => {
  await using gateway = await start()
  await assert.rejects(open(gateway, { repos: [{ repo: 'web' }, { repo: 'web' }] }), refusal('BAD_REQUEST', 'repos[1].repo'))
  await assert.rejects(open(gateway, { repos: [{ state: 'x' }] }), { code: 'BAD_REQUEST' })
  const repos = Array.from({ length: 201 }, (_, n) => ({ repo: `r${n}` }))
  await assert.rejects(open(gateway, { repos }), refusal('BAD_REQUEST', 'repos'))
  await open(gateway, { runId: 'r1', repos: repos.slice(1) })
  await assert.rejects(report(gateway, { repo: 'r0' }), refusal('BAD_REQUEST', 'repo'))
  await assert.rejects(open(gateway, { repos: [{ repo: 'web', overnight: 'x'.repeat(300_000) }] }), refusal('BAD_REQUEST', 'repos'))
  assert.equal((await gateway.call('fleet_run_list')).runs.length, 1)
})

test('runs outlive a restart and are of one tenant', async () => {
  await using gateway = await start()
  const run = await open(gateway, { runId: 'r1' })
  await gateway.restart()
  assert.deepEqual(await latest(gateway), run)
  assert.equal((await gateway.call('fleet_run_latest', {}, of('acme'))).run, null)
  await assert.rejects(gateway.call('fleet_run_finish', { runId: 'r1', status: 'aborted' }, of('acme')), { code: 'NOT_FOUND' })
})

test('over REST: opened, reported on, closed, read by id', async () => {
  await using gateway = await start()
  const send = (url: string, body: object) => gateway.inject({ method: 'POST', url: `/api/fleet/runs${url}`, body })
  assert.equal((await send('', { runId: 'r1' })).status, 201)
  assert.equal((await send('/r1/repos', { repo: 'web', actionStatus: 'done' })).status, 200)
  assert.equal((await send('/r1/finish', { status: 'completed' })).status, 200)
  const get = async (url: string) => (await gateway.inject({ method: 'GET', url: `/api/fleet/runs${url}` })).json()
  const { run } = await get('/r1')
  assert.deepEqual([run.status, run.repos[0].actionStatus], ['completed', 'done'])
  assert.deepEqual(await get('/latest'), { run })
  assert.equal((await get('')).runs[0].runId, 'r1')
})

test('a run is forgotten 90 days after its start', async () => {
  await using gateway = await start()
  await open(gateway, { runId: 'r1' })
  gateway.clock.advance(1)
  await open(gateway, { runId: 'r2' })
  gateway.clock.advance(90 * 86_400 - 1)
  await gateway.runJob('fleet.retention')
  assert.deepEqual(
    (await gateway.call('fleet_run_list')).runs.map(({ runId }: { runId: string }) => runId),
    ['r2'],
  )
})
