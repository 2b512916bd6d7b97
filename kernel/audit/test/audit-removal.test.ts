import assert from 'node:assert/strict'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DAY_MS } from '@gateway/sdk'
import { openAuditFiles } from '../src/files.ts'
import { auditDir, entry, MORNING, verified } from './audit-fixture.ts'

async function threeDays(t: TestContext) {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (let day = 0; day < 3; day += 1)
    for (const id of ['a', 'b']) await trail.append('local', [entry(`${id}${day}`, { at: MORNING + day * DAY_MS })])
  return { dir, trail, folder: join(dir, 'local') }
}
const days = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort()

test('days that are purged leave a trail that verifies, goes on, and is still guarded', async (t) => {
  const { dir, trail, folder } = await threeDays(t)
  assert.equal(await trail.purge('local', '2026-01-07'), 2)
  assert.deepEqual(await days(folder), ['2026-01-07.jsonl'])
  await trail.append('local', [entry('next', { at: MORNING + 2 * DAY_MS })])
  await trail.close()
  const { found, records, last, notes } = await verified(dir)
  assert.deepEqual([found, records, last.seq], [[], 3, 7])
  assert.match(notes.join(), /Records 1 to 4 were purged with the days up to 2026-01-06/)
})

test('the newest day stays whatever its age, and nothing is purged twice', async (t) => {
  const { trail, folder } = await threeDays(t)
  assert.equal(await trail.purge('local', '2030-01-01'), 2)
  assert.equal(await trail.purge('local', '2030-01-01'), 0)
  assert.deepEqual(await days(folder), ['2026-01-07.jsonl'])
  await trail.close()
})

test('a purge that was killed before the files went verifies, and the next one removes them', async (t) => {
  const { dir, trail, folder } = await threeDays(t)
  const aside = join(dir, 'aside')
  await copyFile(join(folder, '2026-01-05.jsonl'), aside)
  await trail.purge('local', '2026-01-07')
  await copyFile(aside, join(folder, '2026-01-05.jsonl'))
  assert.deepEqual((await verified(dir)).found, [])
  assert.equal(await trail.purge('local', '2026-01-07'), 1)
  assert.deepEqual(await days(folder), ['2026-01-07.jsonl'])
  await trail.close()
})

test('a trail that is removed is gone, and what is appended later begins a new one', async (t) => {
  const { dir, trail } = await threeDays(t)
  await trail.append('other', [entry('o')])
  await trail.remove('local')
  assert.equal(await trail.days('local'), 0)
  assert.ok(!(await readdir(dir)).includes('local'))
  await trail.append('local', [entry('anew')])
  await trail.close()
  const { found, records } = await verified(dir)
  assert.deepEqual([found, records], [[], 1])
  assert.equal((await verified(dir, 'other')).records, 1)
  assert.match(await readFile(join(dir, 'local', '2026-01-05.jsonl'), 'utf8'), /"anew"/)
})
