import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dayOfFile, nextName } from '../src/day-file.ts'
import { exportTrail } from '../src/export.ts'
import { openAuditFiles } from '../src/files.ts'
import { auditDir, entry, verified } from './audit-fixture.ts'

const append = (trail: ReturnType<typeof openAuditFiles>, ...days: string[]) =>
  Promise.all(days.map((day) => trail.append('local', [entry(day, { at: Date.parse(`${day}T10:00:00Z`) })])))

async function filesOf(dir: string): Promise<string[]> {
  return (await readdir(join(dir, 'local'))).filter((name) => name.endsWith('.jsonl')).sort()
}

test('names of files sort in the order in which they are begun, however the clock is set', () => {
  const days = [
    '2026-11-27',
    '2030-01-01',
    '2026-11-28',
    '2026-11-27',
    '2028-05-05',
    '2026-12-01',
    '2026-12-02',
    '1970-01-01',
    '2026-12-03',
  ]
  const names: string[] = []
  for (const day of [...days, '2029-12-31', '2030-01-01', '2030-01-02']) {
    const name = nextName(names.at(-1) ?? '', day)
    if (name !== names.at(-1)) names.push(name)
    assert.ok(dayOfFile(`${name}.jsonl`) >= day)
  }
  assert.deepEqual(names, names.toSorted())
  assert.deepEqual(names.slice(0, 4), ['2026-11-27', '2030-01-01', '2030-01-01_0001_2026-11-28', '2030-01-01_0001_2028-05-05'])
  assert.equal(names.at(-1), '2030-01-02')
})

test('after the clock had been years ahead, retention, search, export and verification go by the real days', async (t) => {
  const dir = await auditDir(t)
  let trail = openAuditFiles({ dir })
  await append(trail, '2026-11-27', '2030-01-01', '2026-11-28')
  await trail.close()
  trail = openAuditFiles({ dir })
  await append(trail, '2026-11-29', '2026-12-05', '2027-06-05')
  const search = async (from: string, until: string, limit = 10) =>
    (await trail.search('local', { from, until, limit })).records.map(({ requestId }) => requestId)
  assert.deepEqual(await search('2026-11-28T00:00:00Z', '2026-12-01T00:00:00Z'), ['2026-11-29', '2026-11-28'])

  const pages: string[] = []
  let cursor: string | undefined
  do {
    const page = await trail.search('local', { limit: 1, cursor })
    pages.push(...page.records.map(({ requestId }) => requestId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const order = ['2026-11-27', '2030-01-01', '2026-11-28', '2026-11-29', '2026-12-05', '2027-06-05']
  assert.deepEqual(pages, order.toReversed())
  const lines: string[] = []
  for await (const line of exportTrail(join(dir, 'local'), {})) lines.push(JSON.parse(line).requestId)
  assert.deepEqual(lines, order)
  assert.deepEqual((await verified(dir)).found, [])

  assert.equal(await trail.purge('local', '2026-11-28'), 1, 'of the file that is ahead nothing is known but that it is older than the next')
  assert.equal(await trail.purge('local', '2026-12-01'), 3)
  assert.deepEqual(await filesOf(dir), ['2030-01-01_0001_2026-12-05.jsonl', '2030-01-01_0001_2027-06-05.jsonl'])
  assert.deepEqual((await verified(dir)).found, [])
  await append(trail, '2030-01-02')
  await trail.close()
  assert.deepEqual([(await filesOf(dir)).at(-1), (await verified(dir)).found], ['2030-01-02.jsonl', []])
})

test('a clock that was years behind makes retention remove nothing that is not past', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  await append(trail, '2026-11-26', '2026-11-27', '1970-01-01', '2026-11-27')
  assert.equal(await trail.purge('local', '2026-10-01'), 0)
  await append(trail, '2026-12-01')
  assert.equal(await trail.purge('local', '2026-11-28'), 4)
  await trail.close()
  assert.deepEqual([await filesOf(dir), (await verified(dir)).found], [['2026-12-01.jsonl'], []])
})
