import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type AuditQuery, DAY_MS } from '@gateway/sdk'
import { exportTrail } from '../src/export.ts'
import { openAuditFiles } from '../src/files.ts'
import { auditDir, entry, linesOf, MORNING } from './audit-fixture.ts'

test('a search finds what meets all conditions, latest first, page by page, each record once, over days and pieces of a file', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const expected: string[] = []
  for (let day = 0; day < 3; day++) {
    for (let n = 0; n < 40; n++) {
      const at = MORNING + day * DAY_MS + n * 1_000
      const odd = n % 2 === 1
      // Some are far larger than a piece that is read at once.
      const details = { text: 'é'.repeat(n === 7 ? 300_000 : 2_000) }
      await trail.append('acme', [
        entry(`r${day}-${n}`, { at, tool: odd ? 'tasks_update' : 'tasks_create', decision: n % 5 === 0 ? 'FORBIDDEN' : 'ok', details }),
      ])
      if (odd && n % 5 === 0) expected.unshift(`r${day}-${n}`)
    }
  }
  const all = async (query: Partial<AuditQuery>, limit = 5): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await trail.search('acme', { ...query, limit, cursor })
      found.push(...page.records.map(({ requestId }) => requestId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return found
  }
  assert.deepEqual(await all({ tool: 'tasks_update', outcome: 'refused' }), expected)
  assert.deepEqual(await all({ tool: 'tasks_update', outcome: 'FORBIDDEN' }, 1), expected)
  assert.deepEqual(await all({ requestId: 'r1-7' }), ['r1-7'])
  assert.equal((await all({})).length, 120)
  const from = new Date(MORNING + DAY_MS + 38_000).toISOString()
  const until = new Date(MORNING + 2 * DAY_MS + 1_000).toISOString()
  assert.deepEqual(await all({ from, until }), ['r2-0', 'r1-39', 'r1-38'])
  assert.deepEqual(await all({ principal: 'key-2' }), [])
  assert.deepEqual((await trail.search('nobody', { limit: 5 })).records, [])
  await trail.close()
})

test('a search by time finds what was recorded after the clock had been ahead, by seconds across midnight or by years', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const append = (at: string) => trail.append('local', [entry(at, { at: Date.parse(at) })])
  const day = ['2026-01-06T00:00:01.000Z', '2026-01-05T23:59:58.000Z', '2026-01-06T09:00:00.000Z', '2026-01-07T09:00:00.000Z']
  for (const at of [...day, '2030-01-01T09:00:00.000Z', '2026-01-08T09:00:00.000Z']) await append(at)
  const until = async (time: string) => {
    const { records } = await trail.search('local', { from: '2026-01-05T12:00:00.000Z', until: time, limit: 10 })
    return records.map(({ requestId }) => requestId)
  }
  assert.deepEqual(await until('2026-01-06T00:00:00.000Z'), ['2026-01-05T23:59:58.000Z'])
  assert.deepEqual(await until('2026-01-09T00:00:00.000Z'), ['2026-01-08T09:00:00.000Z', ...day.toReversed()])
  await trail.close()
})

test('a page goes on where the one before ended, also when records were appended meanwhile; half a line is left out', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (const id of ['a', 'b', 'c']) await trail.append('local', [entry(id)])
  const first = await trail.search('local', { limit: 2 })
  await trail.append('local', [entry('d')])
  await appendFile(join(dir, 'local', '2026-01-05.jsonl'), '{"seq":5,"at":"2026')
  const second = await trail.search('local', { limit: 2, cursor: first.nextCursor })
  assert.deepEqual(
    [...first.records, ...second.records].map(({ requestId }) => requestId),
    ['c', 'b', 'a'],
  )
  assert.deepEqual((await trail.search('local', { limit: 1 })).records[0]?.requestId, 'd')
  for (const cursor of ['', 'nonsense', Buffer.from('../../x 5').toString('base64url')])
    await assert.rejects(trail.search('local', { limit: 2, cursor }), { code: 'BAD_REQUEST' })
  await trail.close()
})

test('a record tells the label, the session, the address and the client; what a client calls itself is cut', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  const principal = { id: 'key:1', kind: 'api-key', role: 'member', tenantId: 'local', label: 'crawler "1"', session: 'session-1' } as const
  await trail.append('local', [entry('a', { principal, origin: { address: '10.0.0.1', client: 'x'.repeat(500) } })])
  const [record] = (await trail.search('local', { principal: 'crawler "1"', limit: 5 })).records
  assert.deepEqual([record?.principal.session, record?.address, record?.client?.length], ['session-1', '10.0.0.1', 200])
  assert.ok(!('hash' in (record ?? {})))
  await trail.close()
})

test('an export is the lines as they stand, oldest first, within its times', async (t) => {
  const dir = await auditDir(t)
  const trail = openAuditFiles({ dir })
  for (let n = 0; n < 4; n++) await trail.append('local', [entry(`r${n}`, { at: MORNING + n * DAY_MS })])
  await trail.close()
  const lines: string[] = []
  const times = { from: new Date(MORNING + DAY_MS).toISOString(), until: new Date(MORNING + 3 * DAY_MS).toISOString() }
  for await (const line of exportTrail(join(dir, 'local'), times)) lines.push(line)
  const stored = [...(await linesOf(dir, 'local', '2026-01-06')), ...(await linesOf(dir, 'local', '2026-01-07'))]
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    stored,
  )
})
