import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openAuditFiles } from '../../src/events/audit-files.ts'
import { auditDir, entry, linesOf, verified } from './audit-fixture.ts'

async function append(dir: string, ids: readonly string[], at?: number): Promise<void> {
  const trail = openAuditFiles({ dir })
  await trail.append(
    'local',
    ids.map((id) => entry(id, at === undefined ? {} : { at })),
  )
  await trail.close()
}

const file = (dir: string, name = '2026-01-05.jsonl'): string => join(dir, 'local', name)

for (const [what, tail] of [
  ['half a record', '{"seq":3,"at":"2026-01-05T09:0'],
  ['zeros, as some file systems leave them', '\0'.repeat(4096)],
  ['a whole line that is no record', '{"seq":3}\n'],
  ['more than one window of it', `${'x'.repeat(300_000)}\n{"se`],
] as const) {
  test(`a torn end (${what}) is kept aside, noted in the trail, and the chain goes on from the last whole record`, async (t) => {
    const dir = await auditDir(t)
    await append(dir, ['r1', 'r2'])
    const whole = await readFile(file(dir))
    await appendFile(file(dir), tail)
    await append(dir, ['r3'])
    const lines = await linesOf(dir, 'local')
    assert.deepEqual(
      lines.map((line) => [line.seq, line.name]),
      [
        [1, 'tool.call'],
        [2, 'tool.call'],
        [3, 'audit.recovered'],
        [4, 'tool.call'],
      ],
    )
    const kept = `2026-01-05.${whole.length}.torn`
    assert.deepEqual(lines[2]?.details, { torn: [{ file: kept, bytes: tail.length }] })
    assert.equal(await readFile(file(dir, kept), 'latin1'), tail)
    const result = await verified(dir)
    assert.deepEqual(result.found, [])
    assert.match(result.notes[0] ?? '', /2026-01-05\.\d+\.torn/)
  })
}

test('a newest file with no whole record at all is set aside, and the chain goes on from the day before', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1'])
  await writeFile(file(dir, '2026-01-06.jsonl'), '{"seq":2,"a')
  await append(dir, ['r2'], Date.parse('2026-01-06T01:00:00.000Z'))
  assert.deepEqual(
    (await linesOf(dir, 'local', '2026-01-06')).map((line) => [line.seq, line.name]),
    [
      [2, 'audit.recovered'],
      [3, 'tool.call'],
    ],
  )
  assert.equal(await readFile(file(dir, '2026-01-06.0.torn'), 'utf8'), '{"seq":2,"a')
  assert.deepEqual((await verified(dir)).found, [])
})

test('two torn ends at one place are both kept', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1'])
  const { length } = await readFile(file(dir))
  await writeFile(file(dir, `2026-01-05.${length}.torn`), 'first')
  await appendFile(file(dir), 'second')
  await append(dir, ['r2'])
  assert.equal(await readFile(file(dir, `2026-01-05.${length}.torn`), 'utf8'), 'firstsecond')
})

test('records that were synced and are gone at a restart are never covered up: the trail says so for good', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1', 'r2', 'r3'])
  const [first = ''] = (await readFile(file(dir), 'utf8')).split('\n')
  await truncate(file(dir), first.length + 1)
  await append(dir, ['r4'])
  await append(dir, ['r5', 'r6', 'r7', 'r8'])
  const [fault, ...others] = (await verified(dir)).found
  assert.deepEqual(others, [])
  assert.deepEqual([fault?.kind, fault?.line, fault?.seq], ['missing', 2, 2])
  assert.match(fault?.message ?? '', /record 3 had been written and was gone/)
})

test('a removed newest day, and a removed whole trail, are noticed at the next restart', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1'])
  await append(dir, ['r2'], Date.parse('2026-01-06T01:00:00.000Z'))
  await rm(file(dir, '2026-01-06.jsonl'))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.kind, fault.message]),
    [['missing', 'records 2 to 2 are missing at the end']],
  )
  await rm(file(dir))
  await append(dir, ['r3'])
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => fault.kind),
    ['missing'],
  )
})

test('a damaged head is noted and made anew', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1'])
  await writeFile(file(dir, 'head.json'), '\0\0\0')
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => fault.kind),
    ['head'],
  )
  await append(dir, ['r2'])
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => line.name),
    ['tool.call', 'audit.recovered', 'tool.call'],
  )
  assert.deepEqual((await verified(dir)).found, [])
})

test('an append that cannot be written rejects, leaves no half record, and the next one that can be written goes on', async (t) => {
  const dir = await auditDir(t)
  // A file size limit in a process of its own: a write that gets in by half, as on a full disk.
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -f 40 && exec "$@"',
    'sh',
    process.execPath,
    ...process.execArgv.filter((arg) => !arg.startsWith('--test')),
    join(import.meta.dirname, 'audit-until-full.ts'),
    dir,
  ])
  const { written, code } = JSON.parse(stdout) as { written: string[]; code: string }
  assert.equal(code, 'EFBIG')
  assert.ok(written.length > 5)
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => line.requestId),
    written,
  )
  await append(dir, ['after'])
  const result = await verified(dir)
  assert.deepEqual([result.found, result.records], [[], written.length + 1])
})

test('a folder that cannot be made rejects the call, and is tried again at the next', async (t) => {
  const dir = await auditDir(t)
  await writeFile(join(dir, 'local'), 'in the way')
  const trail = openAuditFiles({ dir })
  await assert.rejects(trail.append('local', [entry('r1')]), /EEXIST|ENOTDIR/)
  await rm(join(dir, 'local'))
  await trail.append('local', [entry('r2')])
  await trail.close()
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => [line.seq, line.requestId]),
    [[1, 'r2']],
  )
  assert.deepEqual((await readdir(join(dir, 'local'))).sort(), ['2026-01-05.jsonl', 'head.json'])
})

test('a folder that is removed under a running gateway fails an append once it is noticed, then the trail begins anew', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  t.after(() => trail.close())
  await trail.append('local', [entry('r1')])
  await rm(join(dir, 'local'), { recursive: true })
  let fault: unknown
  while (fault === undefined) {
    await pause(20)
    await trail.append('local', [entry('lost')]).catch((error: unknown) => {
      fault = error
    })
  }
  assert.match(String(fault), /could not be synced to the disk/)
  await trail.append('local', [entry('r2')])
  assert.deepEqual(
    (await linesOf(dir, 'local')).map((line) => [line.seq, line.requestId]),
    [[1, 'r2']],
  )
})
