import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { needs, startTestGateway, type TestGateway } from '@gateway/testing'
import jobHistory from '../src/index.ts'
import type { Job } from '../src/schema.ts'

const DAY = 86_400
const start = (config: object = {}) => startTestGateway({ plugins: [jobHistory], config: { 'job-history': { ...config } } })
const record = async (gateway: TestGateway, args: object = {}, options?: object): Promise<Job> =>
  (await gateway.call('job_history_record', args, options)).job
const search = async (gateway: TestGateway, args: object = {}, options?: object): Promise<[string[], number]> => {
  const { jobs, total } = await gateway.call('job_history_search', args, options)
  return [jobs.map(({ resultLine }: Job) => resultLine), total]
}
const stored = async (gateway: TestGateway) => (await gateway.documents())['job-history'] as readonly Job[]

test('a run is kept with what is known of it, and started now unless it says when', async () => {
  await using gateway = await start()
  const at = gateway.clock.now()
  const given = {
    repo: 'web',
    taskId: 'task-1',
    status: 'failed',
    resultLine: 'no',
    errorExcerpt: 'E',
    exitCode: 2,
    machine: 'forge',
    model: 'm',
    logFile: '/l',
    durationSeconds: 1.5,
  }
  const { jobId, ...job } = await record(gateway, given)
  assert.match(jobId, /^job-/)
  const now = new Date(at).toISOString()
  assert.deepEqual(job, { ...given, startedAtMs: at, recordedAt: now, updatedAt: now })
  assert.equal((await record(gateway, { startedAtMs: 5 })).startedAtMs, 5)
})

test('the same logFile recorded twice leaves one run, with what was said last', async () => {
  await using gateway = await start()
  const first = await record(gateway, { logFile: '/run/1.log', status: 'no-result', repo: 'web' })
  gateway.clock.advance(60)
  const again = await record(gateway, { logFile: '/run/1.log', status: 'done', resultLine: 'ok' })
  assert.deepEqual(again, { ...first, status: 'done', resultLine: 'ok', updatedAt: new Date(gateway.clock.now()).toISOString() })
  await Promise.all(Array.from({ length: 8 }, () => record(gateway, { logFile: '/run/2.log' })))
  assert.deepEqual((await search(gateway))[1], 2)
  assert.equal((await stored(gateway)).length, 2)
  await record(gateway, { logFile: '/run/1.log' }, { as: { tenantId: 'other' } })
  assert.equal((await stored(gateway)).length, 2)
})

test('runs without a logFile are runs of their own', async () => {
  await using gateway = await start()
  for (let i = 0; i < 2; i++) await record(gateway, { taskId: 'task-1' })
  assert.equal((await stored(gateway)).length, 2)
})

test('a run with halves of surrogate pairs or NUL in its texts is recorded, once for each logFile, and found by its taskId', async () => {
  await using gateway = await start()
  const given = {
    taskId: 'task\ud800',
    repo: 'web\0',
    logFile: '/l\udc00',
    resultLine: 'cut \ud83d',
    errorExcerpt: '\ude00',
    machine: 'm\0',
  }
  for (const status of ['failed', 'done']) {
    const answer = await gateway.inject({ method: 'POST', url: '/api/job-history', body: { ...given, status } })
    assert.equal(answer.status, 200, answer.body)
  }
  const { jobs, total } = await gateway.call('job_history_search', { taskId: 'task\ud800', repo: 'web\0' })
  assert.equal(total, 1)
  const { taskId, repo, logFile, resultLine, errorExcerpt, machine, status } = jobs[0]
  assert.deepEqual([taskId, repo, logFile], ['task\ufffd', 'web\ufffd', '/l\ufffd'])
  assert.deepEqual([resultLine, errorExcerpt, machine, status], ['cut \ufffd', '\ufffd', 'm\ufffd', 'done'])
})

test('no secret is stored, and texts are cut after it is gone', async () => {
  await using gateway = await start({ maxResultCharacters: 20, maxErrorCharacters: 30 })
  const key = 'sk-ant-api03-0123456789abcdefghijABCDEFGHIJ'
  const job = await record(gateway, {
    resultLine: `with ${key} it was done`,
    errorExcerpt: `password=hunter2\n${'e '.repeat(500)}`,
    machine: key,
    model: key,
  })
  assert.equal(job.resultLine, 'with [redacted] it w')
  assert.equal(job.errorExcerpt, `password=[redacted]\n${'e '.repeat(5)}`)
  const kept = JSON.stringify(await gateway.documents())
  assert.ok(!kept.includes(key) && !kept.includes('hunter2'))
})

test('bad values are refused and nothing is recorded', async () => {
  await using gateway = await start()
  for (const args of [
    { status: 'lost' },
    { exitCode: 'one' },
    { exitCode: 0.5 },
    { startedAtMs: -1 },
    { durationSeconds: -1 },
    { durationSeconds: 1e300 },
    { logFile: 7 },
    { other: 1 },
  ])
    await assert.rejects(record(gateway, args), { code: 'BAD_REQUEST' }, JSON.stringify(args))
  const now = gateway.clock.now()
  for (const startedAtMs of [now * 1_000, 4_102_444_800_001])
    await assert.rejects(record(gateway, { startedAtMs }), { code: 'BAD_REQUEST', message: /^`startedAtMs` must be in milliseconds/ })
  assert.deepEqual(await stored(gateway), [])
  // A machine whose clock is a year ahead loses none of its runs.
  assert.equal((await record(gateway, { startedAtMs: now + 31_536_000_000 })).startedAtMs, now + 31_536_000_000)
})

test('beyond the number kept the oldest go, and no more than that', async () => {
  await using gateway = await start({ maxJobs: 3 })
  for (let i = 1; i <= 5; i++) await record(gateway, { resultLine: `${i}`, logFile: `/${i}`, startedAtMs: i })
  assert.deepEqual(await search(gateway), [['5', '4', '3'], 3])
  await record(gateway, { logFile: '/4', resultLine: '4 again' })
  assert.deepEqual(await search(gateway), [['5', '4 again', '3'], 3])
  await record(gateway, { resultLine: '6', logFile: '/1', startedAtMs: 6 })
  assert.deepEqual(await search(gateway), [['6', '5', '4 again'], 3])
})

test('past its age a run goes with the next write, and is recorded anew if it comes again', async () => {
  await using gateway = await start({ retentionDays: 2 })
  const old = await record(gateway, { resultLine: 'old', logFile: '/old' })
  gateway.clock.advance(DAY)
  await record(gateway, { resultLine: 'young', startedAtMs: 0 })
  gateway.clock.advance(DAY + 1)
  const anew = await record(gateway, { resultLine: 'anew', logFile: '/old' })
  assert.notEqual(anew.jobId, old.jobId)
  assert.deepEqual(await search(gateway), [['anew', 'young'], 2])
})

test('a history made smaller shrinks as runs come', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'job-history-'))
  context.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const open = (maxJobs: number) => startTestGateway({ plugins: [jobHistory], config: { 'job-history': { maxJobs } }, dataDir })
  {
    await using gateway = await open(300)
    await Promise.all(Array.from({ length: 300 }, () => record(gateway)))
  }
  await using small = await open(10)
  const left: number[] = []
  for (let i = 0; i < 8; i++) {
    await record(small)
    left.push((await search(small))[1])
  }
  assert.ok((left[0] as number) > 150, 'one write drops a part only')
  assert.equal(left.at(-1), 10)
  assert.equal((await stored(small)).length, 10)
})

test('a search finds what meets every filter, newest first, and counts all of it before the limit', async () => {
  await using gateway = await start()
  const rows = [
    { resultLine: 'a', repo: 'web', taskId: 't1', status: 'done', startedAtMs: 10 },
    { resultLine: 'b', repo: 'web', taskId: 't2', status: 'failed', startedAtMs: 40, errorExcerpt: 'ETIMEDOUT 100%' },
    { resultLine: 'c timed out', repo: 'api', taskId: 't1', status: 'failed', startedAtMs: 30 },
    { resultLine: 'd', repo: 'web', startedAtMs: 20 },
  ]
  for (const row of rows) await record(gateway, row)
  const cases: [object, string[], number][] = [
    [{}, ['b', 'c timed out', 'd', 'a'], 4],
    [{ limit: 1 }, ['b'], 4],
    [{ repo: 'web' }, ['b', 'd', 'a'], 3],
    [{ repo: 'web', limit: 2 }, ['b', 'd'], 3],
    [{ status: 'failed' }, ['b', 'c timed out'], 2],
    [{ taskId: 't1' }, ['c timed out', 'a'], 2],
    [{ repo: 'web', status: 'failed' }, ['b'], 1],
    [{ taskId: 't1', status: 'done' }, ['a'], 1],
    [{ since: 20 }, ['b', 'c timed out', 'd'], 3],
    [{ until: 20 }, ['d', 'a'], 2],
    [{ since: 20, until: 30, repo: 'api' }, ['c timed out'], 1],
    [{ since: 31, until: 39 }, [], 0],
    [{ q: 'timed' }, ['b', 'c timed out'], 2],
    [{ q: 'TIMED', limit: 1 }, ['b'], 2],
    [{ q: '0%' }, ['b'], 1],
    [{ q: 'timed', repo: 'api' }, ['c timed out'], 1],
    [{ q: 'nowhere' }, [], 0],
  ]
  for (const [args, found, total] of cases) assert.deepEqual(await search(gateway, args), [found, total], JSON.stringify(args))
  assert.deepEqual(await search(gateway, {}, { as: { tenantId: 'other' } }), [[], 0])
  for (const args of [{ status: 'lost' }, { limit: 0 }, { since: 'yesterday' }, { since: 40, until: 30 }])
    await assert.rejects(search(gateway, args), { code: 'BAD_REQUEST' })
  const answer = await gateway.inject({ method: 'GET', url: '/api/job-history?repo=web&since=20&limit=1' })
  assert.deepEqual([answer.status, answer.json().total, answer.json().jobs.length], [200, 2, 1])
})

test('what stands in a text is found in its own letters, also where a capital sigma has two small ones', async () => {
  await using gateway = await start()
  await record(gateway, { resultLine: 'ΟΔΟΣΑΝ' })
  for (const q of ['ΟΔΟΣ', 'οδοσ', 'Οδος', 'σΑν']) assert.deepEqual(await search(gateway, { q }), [['ΟΔΟΣΑΝ'], 1], q)
})

test('totals are those of what is there, whatever is recorded again, past its age or beyond the number kept', async () => {
  await using gateway = await start({ maxJobs: 40, retentionDays: 3 })
  const [repos, statuses] = [['web', 'api', undefined], ['done', 'failed', undefined] as const]
  for (let i = 0; i < 150; i++) {
    const [repo, status] = [repos[(i * 7) % 3], statuses[(i * 5 + (i >> 3)) % 3]]
    await record(gateway, { ...(repo && { repo }), ...(status && { status }), ...(i % 4 > 0 && { logFile: `/${(i * 11) % 60}` }) })
    if (i % 10 === 9) gateway.clock.advance(DAY / 2)
    if (i % 25 !== 24) continue
    const there = await stored(gateway)
    for (const one of repos)
      for (const two of statuses) {
        const [, total] = await search(gateway, { ...(one && { repo: one }), ...(two && { status: two }) })
        const matching = there.filter((job) => (one ?? job.repo) === job.repo && (two ?? job.status) === job.status)
        assert.equal(total, matching.length, `${one} ${two} after ${i + 1}`)
      }
  }
})

test('the limit is 50 unless asked otherwise, and 500 at most; q is searched through all runs', needs('scale'), async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 1_100 }, (_, i) => record(gateway, { resultLine: `run ${i}`, repo: 'web' })))
  const counts = async (args: object) => (await search(gateway, args)).map((one) => (Array.isArray(one) ? one.length : one))
  assert.deepEqual(await counts({}), [50, 1_100])
  assert.deepEqual(await counts({ limit: 9_999, repo: 'web' }), [500, 1_100])
  assert.deepEqual(await counts({ q: 'run', limit: 9_999 }), [500, 1_100])
  assert.deepEqual(await counts({ q: 'run 1099' }), [1, 1])
})
