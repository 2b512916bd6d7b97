import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openAuditFiles } from '../src/files.ts'
import { HandlePool } from '../src/handles.ts'
import { TenantTrail } from '../src/tenant.ts'
import { auditDir, entry, linesOf, MORNING, verified } from './audit-fixture.ts'

const DAY = 24 * 60 * 60 * 1000

test('a record is one line of JSON in the file of its tenant and UTC day, with every fact of the entry', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const details = { taskId: 'task-1', why: 'quote " backslash \\ line\nend é \u2028' }
  await trail.append('local', [
    entry('req "1"', { at: Date.parse('2026-01-05T23:59:59.999Z'), name: 'task.trash', decision: 'CONFLICT', details }),
  ])
  const text = await readFile(join(dir, 'local', '2026-01-05.jsonl'), 'utf8')
  assert.equal(text.split('\n').length, 2)
  const { prev, hash, ...facts } = JSON.parse(text) as Record<string, unknown>
  assert.deepEqual(facts, {
    seq: 1,
    at: '2026-01-05T23:59:59.999Z',
    principal: { id: 'key-1', kind: 'api-key', role: 'member' },
    name: 'task.trash',
    tool: 'tasks_create',
    argsDigest: 'd'.repeat(43),
    decision: 'CONFLICT',
    requestId: 'req "1"',
    via: 'mcp',
    details,
  })
  assert.equal(prev, createHash('sha256').update('gateway audit trail of tenant local').digest('hex'))
  assert.equal(
    hash,
    createHash('sha256')
      .update(text.slice(0, text.lastIndexOf(',"hash":')))
      .digest('hex'),
  )
  await trail.close()
})

test('each record names the hash of the one before it, over days and restarts', async (t) => {
  const dir = await auditDir(t)
  for (const [index, day] of ['2026-01-05', '2026-01-06', '2026-01-06', '2026-02-01'].entries()) {
    const trail = openAuditFiles({ dir })
    await trail.append('local', [entry(`a${index}`, { at: Date.parse(day) }), entry(`b${index}`, { at: Date.parse(day) })])
    await trail.close()
  }
  const all = (await Promise.all(['2026-01-05', '2026-01-06', '2026-02-01'].map((day) => linesOf(dir, 'local', day)))).flat()
  assert.deepEqual(
    all.map((line) => line.requestId),
    ['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3'],
  )
  assert.deepEqual(
    all.map((line) => line.seq),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  for (const [index, line] of all.entries()) if (index > 0) assert.equal(line.prev, all[index - 1]?.hash)
  assert.deepEqual((await verified(dir)).found, [])
})

test('a new day opens a new file, also within one burst, and a clock that steps back does not reopen the old one', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const midnight = Date.parse('2026-01-06T00:00:00.000Z')
  await Promise.all(
    [midnight - 1, midnight, midnight - 1, midnight + 1].map((at, index) => trail.append('local', [entry(`r${index}`, { at })])),
  )
  await trail.close()
  assert.deepEqual(
    (await linesOf(dir, 'local', '2026-01-05')).map((line) => line.requestId),
    ['r0'],
  )
  assert.deepEqual(
    (await linesOf(dir, 'local', '2026-01-06')).map((line) => line.requestId),
    ['r1', 'r2', 'r3'],
  )
  assert.deepEqual((await verified(dir)).found, [])
})

test('an acknowledged record can be read from the file at once', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (let index = 0; index < 20; index++) {
    await trail.append('local', [entry(`r${index}`)])
    assert.equal((await linesOf(dir, 'local')).at(-1)?.requestId, `r${index}`)
  }
  await trail.close()
})

test('records keep the order of their calls under concurrency, and the entries of one call stay together', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const expected: string[] = []
  const writes: Promise<void>[] = []
  for (let turn = 0; turn < 20; turn++) {
    for (let index = 0; index < 50; index++) {
      const ids = [`${turn}.${index}.a`, `${turn}.${index}.b`]
      expected.push(...ids)
      writes.push(
        trail.append(
          'local',
          ids.map((id) => entry(id)),
        ),
      )
    }
    await new Promise(setImmediate)
  }
  await Promise.all(writes)
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => line.requestId),
    expected,
  )
  await trail.close()
  assert.equal((await verified(dir)).records, 2000)
})

test('records of calls that end together share a write, in the turn in which the calls end', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  await trail.append('local', [entry('first')])
  let commit = (): void => {}
  const committed = new Promise<void>((resolve) => (commit = resolve))
  const written: number[] = []
  const calls = ['a', 'b', 'c'].map(async (id) => {
    await committed
    await trail.append('local', [entry(id)])
    written.push(readFileSync(join(dir, 'local', '2026-01-05.jsonl'), 'utf8').split('\n').length - 1)
  })
  let turnOver = false
  setImmediate(() => (turnOver = true))
  commit()
  await Promise.all(calls)
  assert.equal(turnOver, false)
  assert.deepEqual(written, [4, 4, 4])
  await trail.close()
})

test('what a caller changes after the call is not what is recorded', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const details = { n: 1 }
  const written = trail.append('local', [entry('r', { details })])
  details.n = 2
  await written
  assert.deepEqual((await linesOf(dir, 'local'))[0]?.details, { n: 1 })
  await trail.close()
})

test('an entry that is no JSON fails its own call alone', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const [good, bad, late] = await Promise.allSettled([
    trail.append('local', [entry('good')]),
    trail.append('local', [entry('bad', { details: { n: 1n } })]),
    trail.append('local', [entry('late')]),
  ])
  assert.deepEqual([good.status, bad.status, late.status], ['fulfilled', 'rejected', 'fulfilled'])
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => line.requestId),
    ['good', 'late'],
  )
  await trail.close()
})

test('a tenant id that could leave the folder is refused and nothing is written', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (const id of ['', '.', '..', '../x', 'a/b', '.hidden', 'Upper', 'a b', 'é', 'a\0b', 'x'.repeat(65)]) {
    await assert.rejects(trail.append(id, [entry('r')]), /cannot name an audit folder/, JSON.stringify(id))
  }
  assert.deepEqual(await readdir(dir), [])
  await trail.append('x'.repeat(64), [entry('r')])
  await trail.close()
})

test('2,000 tenants at once: each has its own chain, and a bounded number of files is open', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const tenants = Array.from({ length: 2000 }, (_, index) => `tenant-${index}`)
  const before = await openFiles()
  let most = 0
  for (let round = 0; round < 2; round++) {
    const writes = tenants.map((tenant) => trail.append(tenant, [entry(`${tenant}/${round}`)]))
    let done = false
    const all = Promise.all(writes).then(() => {
      done = true
    })
    while (!done) {
      most = Math.max(most, (await openFiles()) - before)
      await pause(5)
    }
    await all
  }
  if (existsSync('/proc/self/fd')) assert.ok(most > 20 && most <= 160, `${most} files were open at once`)
  await trail.close()
  assert.ok((await openFiles()) <= before)
  for (const tenant of ['tenant-0', 'tenant-777', 'tenant-1999']) {
    assert.deepEqual(
      (await linesOf(dir, tenant)).map((line) => line.requestId),
      [`${tenant}/0`, `${tenant}/1`],
    )
    assert.deepEqual((await verified(dir, tenant)).found, [])
  }
})

test('the head follows in the background, without a close', { timeout: 60_000 }, async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  t.after(() => trail.close())
  await trail.append('local', [entry('r1'), entry('r2')])
  const head = () => readFile(join(dir, 'local', 'head.json'), 'utf8').catch(() => undefined)
  while ((await head()) === undefined) await pause(20, undefined, { signal: t.signal })
  assert.deepEqual(JSON.parse((await head()) ?? ''), { ...(await lastPlace(dir, 'local')), seq: 2 })
})

test('a head is whole from its first moment, also where a killed process left half of one', { timeout: 60_000 }, async (t) => {
  const dir = await auditDir(t)
  await mkdir(join(dir, 'local'))
  await writeFile(join(dir, 'local', 'head.json.new'), `{"seq":${' '.repeat(500)}`)
  const trail = openAuditFiles({ dir })
  await trail.append('local', [entry('r1')])
  const closing = trail.close()
  let isClosed = false
  void closing.then(() => (isClosed = true))
  while (!isClosed) {
    const head = await readFile(join(dir, 'local', 'head.json'), 'utf8').catch(() => undefined)
    if (head !== undefined) assert.deepEqual(JSON.parse(head), { ...(await lastPlace(dir, 'local')), seq: 1 })
  }
  assert.deepEqual((await readdir(join(dir, 'local'))).sort(), ['2026-01-05.jsonl', 'head.json'])
})

test('a turn of the day beside a sync leaves one whole head, also where it is the first', { timeout: 60_000 }, async (t) => {
  const dir = await auditDir(t)
  const handles = new HandlePool(100)
  t.after(() => handles.closeAll())
  for (let round = 0; round < 30; round++) {
    const tenantId = `t${round}`
    const trail = new TenantTrail(dir, tenantId, handles)
    await Promise.all([trail.append([entry('before', { at: MORNING })]), trail.flush()])
    const sync = trail.sync()
    await Promise.all([trail.append([entry('after', { at: MORNING + DAY })]), trail.flush(), sync])
    await trail.sync()
    assert.deepEqual(JSON.parse(await readFile(join(dir, tenantId, 'head.json'), 'utf8')), {
      ...(await lastPlace(dir, tenantId, '2026-01-06.jsonl')),
      seq: 2,
    })
    assert.deepEqual((await readdir(join(dir, tenantId))).sort(), ['2026-01-05.jsonl', '2026-01-06.jsonl', 'head.json'])
  }
})

test('close writes and syncs what was under way, leaves a head that says where the last record stands, and refuses what comes later', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const writes = ['a', 'b', 'c'].flatMap((tenant) =>
    [1, 2, 3].map((n) => trail.append(tenant, [entry(`${tenant}${n}`, { at: MORNING + n })])),
  )
  await trail.close()
  await Promise.all(writes)
  for (const tenant of ['a', 'b', 'c']) {
    assert.deepEqual(JSON.parse(await readFile(join(dir, tenant, 'head.json'), 'utf8')), { ...(await lastPlace(dir, tenant)), seq: 3 })
  }
  await assert.rejects(trail.append('a', [entry('late')]), /closed/)
})

async function lastPlace(dir: string, tenantId: string, file = '2026-01-05.jsonl'): Promise<object> {
  const text = await readFile(join(dir, tenantId, file))
  const offset = text.lastIndexOf('\n', text.length - 2) + 1
  const { hash } = JSON.parse(text.subarray(offset).toString()) as { hash: string }
  return { hash, file, offset }
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd').catch(() => [])).length
