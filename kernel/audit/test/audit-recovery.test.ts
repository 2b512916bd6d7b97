import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { UnwrittenRecordError } from '../../core/src/ports/audit.ts'
import { openAuditFiles } from '../src/files.ts'
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
    assert.deepEqual(lines[2]?.details, { torn: [{ file: kept, bytes: tail.length, records: 0 }] })
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
  // A file size limit in a separate process: half of a write succeeds, as on a full disk.
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
  // The record that failed was owed, and is written as well.
  assert.deepEqual([result.found, result.records], [[], written.length + 2])
})

test('what was done and could not be recorded is owed, and written before anything else is changed', async (t) => {
  const dir = await auditDir(t)
  await writeFile(join(dir, 'local'), 'in the way')
  const trail = openAuditFiles({ dir })
  assert.equal(trail.settle('local'), undefined)
  const outcomes = await Promise.allSettled([
    trail.append('local', [entry('done'), entry('done', { name: 'task.trash' })]),
    trail.append('local', [entry('refused', { decision: 'CONFLICT' })]),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof UnwrittenRecordError),
    [true, false],
  )
  const attempts = await Promise.allSettled([trail.settle('local'), trail.settle('local')])
  for (const attempt of attempts) {
    assert.equal(attempt.status === 'rejected' && attempt.reason.code, 'UNAVAILABLE')
    assert.match(attempt.status === 'rejected' ? attempt.reason.message : '', /cannot be written \((EEXIST|ENOTDIR)\)/)
  }
  assert.equal(trail.settle('other'), undefined)
  assert.match(trail.fault ?? '', /cannot be written/)
  await rm(join(dir, 'local'))
  await Promise.all([trail.settle('local'), trail.settle('local')])
  assert.equal(trail.fault, undefined)
  await trail.append('local', [entry('next')])
  assert.equal(trail.settle('local'), undefined)
  await trail.close()
  assert.deepEqual(
    (await linesOf(dir, 'local')).map(({ name, requestId }) => [name, requestId]),
    [
      ['tool.call', 'done'],
      ['task.trash', 'done'],
      ['tool.call', 'next'],
    ],
  )
  assert.deepEqual((await verified(dir)).found, [])
})

test('what is owed is written without being asked for, and at the latest at the end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const end of ['the next sync', 'close']) {
    const dir = await auditDir(t)
    await writeFile(join(dir, 'local'), 'in the way')
    const trail = openAuditFiles({ dir })
    await assert.rejects(trail.append('local', [entry('done')]), UnwrittenRecordError)
    await rm(join(dir, 'local'))
    if (end === 'the next sync') {
      t.mock.timers.tick(1_000)
      const written = () => readFile(join(dir, 'local', '2026-01-05.jsonl'), 'utf8').catch(() => '')
      while ((await written()) === '') await setImmediate()
    } else await trail.close()
    assert.deepEqual(
      (await linesOf(dir, 'local')).map(({ requestId }) => requestId),
      ['done'],
    )
    await trail.close()
  }
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
    [
      [1, 'r2'],
      [2, 'r1'],
    ],
  )
  assert.deepEqual((await readdir(join(dir, 'local'))).sort(), ['2026-01-05.jsonl', 'head.json'])
})

test('a folder that is removed under a running gateway fails an append once it is noticed, then the trail begins anew', {
  timeout: 60_000,
}, async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  t.after(() => trail.close())
  await trail.append('local', [entry('r1')])
  await rm(join(dir, 'local'), { recursive: true })
  let fault: unknown
  while (fault === undefined) {
    await pause(20, undefined, { signal: t.signal })
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

/** State after a power cut: the head still names the last of `synced`, and `later` is written but was never synced. */
async function appendUnsynced(
  dir: string,
  synced: readonly string[],
  later: readonly (readonly [id: string, at?: number])[],
): Promise<void> {
  await append(dir, synced)
  const head = await readFile(file(dir, 'head.json'))
  for (const [id, at] of later) await append(dir, [id], at)
  await writeFile(file(dir, 'head.json'), head)
}

/** A sector of the record that was not written while later ones were. */
async function zero(path: string, requestId: string): Promise<void> {
  const bytes = await readFile(path)
  bytes.fill(0, bytes.indexOf(`"${requestId}"`) - 20, bytes.indexOf(`"${requestId}"`) + 20)
  await writeFile(path, bytes)
}

const DAY_2 = Date.parse('2026-01-06T01:00:00.000Z')
const DAY_3 = Date.parse('2026-01-07T01:00:00.000Z')

test('a hole in what was not synced ends the chain there: whole records after it are kept aside and counted', async (t) => {
  const dir = await auditDir(t)
  await appendUnsynced(dir, ['r1', 'r2'], [['r3'], ['r4'], ['r5'], ['r6']])
  await zero(file(dir), 'r4')
  const before = await readFile(file(dir))
  await append(dir, ['r7'])
  const lines = await linesOf(dir, 'local')
  assert.deepEqual(
    lines.map((line) => [line.seq, line.name, line.requestId]),
    [
      [1, 'tool.call', 'r1'],
      [2, 'tool.call', 'r2'],
      [3, 'tool.call', 'r3'],
      [4, 'audit.recovered', 'recovery'],
      [5, 'tool.call', 'r7'],
    ],
  )
  const cut = before.lastIndexOf(10, before.indexOf(0)) + 1
  const torn = `2026-01-05.${cut}.torn`
  assert.deepEqual(lines[3]?.details, { torn: [{ file: torn, bytes: before.length - cut, records: 2 }] })
  assert.deepEqual(await readFile(file(dir, torn)), before.subarray(cut))
  assert.deepEqual((await verified(dir)).found, [])
})

test('what stands in later days than a hole is kept aside with it', async (t) => {
  const dir = await auditDir(t)
  await appendUnsynced(dir, ['r1'], [['r2'], ['r3', DAY_2], ['r4', DAY_3]])
  await zero(file(dir), 'r2')
  await append(dir, ['r5'], DAY_2)
  const [note, record] = await linesOf(dir, 'local', '2026-01-07')
  assert.deepEqual([note?.seq, note?.name, record?.seq, record?.requestId], [2, 'audit.recovered', 3, 'r5'])
  assert.ok(note?.details)
  assert.deepEqual(
    (note.details.torn as { file: string; records: number }[]).map((one) => [one.file.replace(/\.\d+\./, '.N.'), one.records]),
    [
      ['2026-01-05.N.torn', 0],
      ['2026-01-06.N.torn', 1],
      ['2026-01-07.N.torn', 1],
    ],
  )
  assert.deepEqual((await verified(dir)).found, [])
})

for (const [what, damaged] of [
  ['before the head', 'r2'],
  ['of the head itself', 'r3'],
] as const) {
  test(`damage ${what} was no power cut: nothing is repaired or set aside, and verification says so`, async (t) => {
    const dir = await auditDir(t)
    await appendUnsynced(dir, ['r1', 'r2', 'r3'], [['r4'], ['r5']])
    await zero(file(dir), damaged)
    await append(dir, ['r6'])
    assert.deepEqual((await readdir(join(dir, 'local'))).sort(), ['2026-01-05.jsonl', 'head.json'])
    assert.equal((await readFile(file(dir), 'utf8')).includes('audit.recovered'), false)
    assert.deepEqual(
      (await verified(dir)).found.map((fault) => [fault.line, fault.kind]),
      [[Number(damaged.slice(1)), 'changed']],
    )
  })
}

for (const [what, change] of [
  ['without a head', (path: string) => rm(path)],
  ['with a head that does not say where its record stands', dropPlace],
] as const) {
  test(`${what} the newest file is followed from its start`, async (t) => {
    const dir = await auditDir(t)
    await appendUnsynced(
      dir,
      ['r1'],
      [
        ['r2', DAY_2],
        ['r3', DAY_2],
        ['r4', DAY_2],
      ],
    )
    await change(file(dir, 'head.json'))
    await zero(file(dir, '2026-01-06.jsonl'), 'r3')
    await append(dir, ['r5'], DAY_2)
    assert.deepEqual(
      (await linesOf(dir, 'local', '2026-01-06')).map((line) => [line.seq, line.requestId]),
      [
        [2, 'r2'],
        [3, 'recovery'],
        [4, 'r5'],
      ],
    )
    assert.deepEqual((await verified(dir)).found, [])
  })
}

async function dropPlace(path: string): Promise<void> {
  const { seq, hash } = JSON.parse(await readFile(path, 'utf8')) as { seq: number; hash: string }
  await writeFile(path, JSON.stringify({ seq, hash }))
}

test('a head without a place that names a record of the newest file keeps damage before it from being repaired', async (t) => {
  const dir = await auditDir(t)
  await append(dir, ['r1', 'r2', 'r3'])
  await dropPlace(file(dir, 'head.json'))
  await zero(file(dir), 'r2')
  await append(dir, ['r4'])
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.line, fault.kind]),
    [[2, 'changed']],
  )
})

test('a day is on the disk, and the head says so, before the next one begins', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  t.after(() => trail.close())
  await trail.append('local', [entry('r1')])
  await trail.append('local', [entry('r2', { at: DAY_2 })])
  const head = JSON.parse(await readFile(file(dir, 'head.json'), 'utf8')) as { file: string }
  assert.match(head.file, /^2026-01-0[56]\.jsonl$/)
})

test('whatever sectors after the head are lost, the chain holds and every synced record is in it', async (t) => {
  const dir = await auditDir(t)
  await appendUnsynced(dir, ['s1', 's2', 's3'], [['r4'], ['r5', DAY_2], ['r6', DAY_2], ['r7', DAY_2], ['r8', DAY_2]])
  const names = (await readdir(join(dir, 'local'))).sort()
  const original = new Map(await Promise.all(names.map(async (name) => [name, await readFile(file(dir, name))] as const)))
  const synced = original.get('2026-01-05.jsonl')?.indexOf('{"seq":4') ?? 0
  const hole = fc.record({
    name: fc.constantFrom('2026-01-05.jsonl', '2026-01-06.jsonl'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 600 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(hole, { maxLength: 3 }), fc.option(fc.nat()), async (holes, cut) => {
      await rm(join(dir, 'local'), { recursive: true })
      await mkdir(join(dir, 'local'))
      for (const [name, whole] of original) {
        const bytes = Buffer.from(whole)
        const first = name === '2026-01-05.jsonl' ? synced : 0
        for (const { at, length } of holes.filter((one) => one.name === name)) {
          const from = first + (at % (bytes.length - first))
          bytes.fill(0, from, Math.min(from + length, bytes.length))
        }
        const end = cut === null || name !== '2026-01-06.jsonl' ? bytes.length : cut % (bytes.length + 1)
        await writeFile(file(dir, name), bytes.subarray(0, end))
      }
      await append(dir, ['after'], DAY_2)
      const { found } = await verified(dir)
      assert.deepEqual(found, [])
      assert.equal((await linesOf(dir, 'local', '2026-01-06')).at(-1)?.requestId, 'after')
      assert.deepEqual(
        (await linesOf(dir, 'local')).slice(0, 3).map((line) => line.requestId),
        ['s1', 's2', 's3'],
      )
    }),
    { numRuns: 100 },
  )
})
