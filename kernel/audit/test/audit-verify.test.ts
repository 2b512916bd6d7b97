import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DAY_MS } from '@gateway/sdk'
import fc from 'fast-check'
import { openAuditFiles } from '../src/files.ts'
import type { TrailPlace } from '../src/verify.ts'
import { auditDir, entry, MORNING, verified } from './audit-fixture.ts'

const DAYS = ['2026-01-05', '2026-01-06', '2026-01-07']

/** Three days of four records each, with characters of every UTF-8 length. */
async function trailOfThreeDays(t: TestContext): Promise<string> {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (let index = 0; index < 12; index++) {
    const at = MORNING + Math.floor(index / 4) * DAY_MS
    await trail.append('local', [entry(`r${index}`, { at, details: { text: `é€😀\uFFFD ${index}` } })])
  }
  await trail.close()
  return dir
}

const path = (dir: string, day = '2026-01-06'): string => join(dir, 'local', `${day}.jsonl`)

async function edit(file: string, change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(file, `${change(lines).join('\n')}\n`)
}

test('an untouched trail has no fault, and the summary says how far it reaches', async (t) => {
  const dir = await trailOfThreeDays(t)
  const { found, files, records, last } = await verified(dir)
  assert.deepEqual([found, files, records, last.seq], [[], 3, 12, 12])
})

test('read in parts of any size a trail gives the records, faults and lines that it gives as a whole', async (t) => {
  const dir = await trailOfThreeDays(t)
  await edit(path(dir), (lines) => lines.map((line) => line.replace('"r6"', '"r9"')).filter((_, index) => index !== 3))
  const whole = await verified(dir)
  assert.equal(whole.found.length, 2)
  for (const maxBytes of [1, 300, 700, 100_000]) {
    const [found, seqs]: [unknown[], number[]] = [[], []]
    let records = 0
    for (let from: TrailPlace | undefined, first = true; first || from; first = false) {
      const part = await verified(dir, 'local', { from, maxBytes })
      found.push(...part.found)
      records += part.records
      seqs.push(part.last.seq)
      from = part.next
    }
    assert.deepEqual([found, records], [whole.found, whole.records], `${maxBytes} bytes`)
    assert.equal(seqs.at(-1), 12)
  }
})

test('what is gone from the end is found by the last part; a part whose days were purged meanwhile goes on where the trail begins', async (t) => {
  const dir = await trailOfThreeDays(t)
  const { next } = await verified(dir, 'local', { maxBytes: 1 })
  await edit(path(dir, '2026-01-07'), (lines) => lines.slice(0, -1))
  assert.deepEqual(
    (await verified(dir, 'local', { from: next })).found.map(({ kind, seq }) => [kind, seq]),
    [['missing', 12]],
  )
  const trail = openAuditFiles({ dir })
  await trail.purge('local', '2026-01-07')
  await trail.close()
  const after = await verified(dir, 'local', { from: next })
  assert.deepEqual([after.records, after.found.length], [3, 1])
})

test('a tenant without a trail has no fault', async (t) => {
  const { found, records } = await verified(await auditDir(t))
  assert.deepEqual([found, records], [[], 0])
})

test('a changed fact is found: file, line and sequence number', async (t) => {
  const dir = await trailOfThreeDays(t)
  await edit(path(dir), (lines) => lines.map((line) => line.replace('"r5"', '"r9"')))
  const [fault, ...others] = (await verified(dir)).found
  assert.deepEqual(others, [])
  assert.deepEqual([fault?.file, fault?.line, fault?.seq, fault?.kind], ['2026-01-06.jsonl', 2, 6, 'changed'])
})

test('a missing record, missing records and a missing day are found and named', async (t) => {
  const dir = await trailOfThreeDays(t)
  await edit(path(dir), (lines) => lines.filter((_, index) => index !== 1))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.line, fault.message]),
    [[2, 'record 6 is missing']],
  )
  await rm(path(dir))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.file, fault.message]),
    [['2026-01-07.jsonl', 'records 5 to 8 are missing']],
  )
  await rm(path(dir, DAYS[0]))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => fault.message),
    ['records 1 to 8 are missing'],
  )
})

test('a repeated, a moved and a forged record are found', async (t) => {
  const dir = await trailOfThreeDays(t)
  const original = await readFile(path(dir), 'utf8')
  await edit(path(dir), ([a = '', b = '', ...rest]) => [a, b, b, ...rest])
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.line, fault.kind]),
    [[3, 'inserted']],
  )
  await writeFile(path(dir), original)
  await edit(path(dir), ([a = '', b = '', c = '', d = '']) => [a, c, b, d])
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => fault.line),
    [2, 3, 4],
  )
  await writeFile(path(dir), original)

  const other = await auditDir(t)
  const forger = openAuditFiles({ dir: other })
  for (let index = 0; index < 12; index++) await forger.append('local', [entry(`forged${index}`, { at: MORNING + DAY_MS })])
  await forger.close()
  const forged = (await readFile(path(other), 'utf8')).split('\n')
  await edit(path(dir), (lines) => lines.with(1, forged[5] ?? ''))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.line, fault.kind]),
    [
      [2, 'changed'],
      [3, 'changed'],
    ],
  )
})

test('a trail passed off as another tenant’s, and a day under another day’s name, are found', async (t) => {
  const dir = await trailOfThreeDays(t)
  await mkdir(join(dir, 'other'))
  for (const day of DAYS) await copyFile(path(dir, day), join(dir, 'other', `${day}.jsonl`))
  assert.deepEqual(
    (await verified(dir, 'other')).found.map((fault) => [fault.seq, fault.kind]),
    [[1, 'changed']],
  )
  await rename(path(dir, DAYS[0]), path(dir, '2026-01-04'))
  assert.equal((await verified(dir)).found.length, 4)
})

test('the last records cut off at a line end are found by the head', async (t) => {
  const dir = await trailOfThreeDays(t)
  await edit(path(dir, DAYS[2]), (lines) => lines.slice(0, 2))
  assert.deepEqual(
    (await verified(dir)).found.map((fault) => [fault.kind, fault.message]),
    [['missing', 'records 11 to 12 are missing at the end']],
  )
})

test('without a head the summary says that the end cannot be checked', async (t) => {
  const dir = await trailOfThreeDays(t)
  await rm(join(dir, 'local', 'head.json'))
  const { found, notes } = await verified(dir)
  assert.deepEqual(found, [])
  assert.match(notes[0] ?? '', /no head\.json/)
})

test('any one byte changed, removed or added, any two lines swapped and any cut is found', async (t) => {
  const dir = await trailOfThreeDays(t)
  const originals = new Map(await Promise.all(DAYS.map(async (day) => [day, await readFile(path(dir, day))] as const)))
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 1500 }) }),
    fc.record({ kind: fc.constant('add' as const), at: fc.nat(), byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('swap' as const), first: fc.nat(3), by: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('drop' as const), line: fc.nat(3) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...DAYS), damage, async (day, what) => {
      const original = originals.get(day) as Buffer
      const bytes = apply(original, what)
      fc.pre(!bytes.equals(original))
      await writeFile(path(dir, day), bytes)
      const { found } = await verified(dir)
      await writeFile(path(dir, day), original)
      assert.ok(found.length > 0, 'no fault was found')
    }),
    { numRuns: 400 },
  )
  assert.deepEqual((await verified(dir)).found, [])
})

type Damage =
  | { kind: 'flip'; at: number; by: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'add'; at: number; byte: number }
  | { kind: 'cut'; at: number }
  | { kind: 'swap'; first: number; by: number }
  | { kind: 'drop'; line: number }

function apply(original: Buffer, what: Damage): Buffer {
  const lines = original.toString().split('\n').slice(0, -1)
  const joined = (all: readonly string[]): Buffer => Buffer.from(all.map((line) => `${line}\n`).join(''))
  switch (what.kind) {
    case 'flip': {
      const copy = Buffer.from(original)
      const at = what.at % copy.length
      copy[at] = (copy[at] as number) ^ what.by
      return copy
    }
    case 'remove': {
      const at = what.at % original.length
      return Buffer.concat([original.subarray(0, at), original.subarray(at + what.length)])
    }
    case 'add': {
      const at = what.at % (original.length + 1)
      return Buffer.concat([original.subarray(0, at), Buffer.of(what.byte), original.subarray(at)])
    }
    case 'cut':
      return original.subarray(0, what.at % original.length)
    case 'swap': {
      const other = (what.first + what.by) % lines.length
      return joined(lines.with(what.first, lines[other] as string).with(other, lines[what.first] as string))
    }
    case 'drop':
      return joined(lines.toSpliced(what.line, 1))
  }
}

test('a trail can be checked while it is written', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  let writing = true
  const writer = (async () => {
    for (let index = 0; index < 3000; index += 30) {
      await Promise.all(Array.from({ length: 30 }, (_, n) => trail.append('local', [entry(`r${index + n}`)])))
    }
    writing = false
  })()
  while (writing) assert.deepEqual((await verified(dir)).found, [])
  await writer
  await trail.close()
  assert.equal((await verified(dir)).records, 3000)
})
