import assert from 'node:assert/strict'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { AuditFault } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import { auditEnds, trailEnds } from '../src/ends.ts'
import { openAuditFiles } from '../src/files.ts'
import { verifyAudit } from '../src/verify.ts'
import { auditDir, entry, linesOf } from './audit-fixture.ts'

async function storeOf(t: TestContext): Promise<Store> {
  const { store, dispose } = await subject({ clock: testClock() })
  t.after(dispose)
  await store.prepare([auditEnds])
  return store
}

async function place(t: TestContext): Promise<{ dir: string; store: Store }> {
  const dir = join(await auditDir(t), 'audit')
  await mkdir(dir)
  return { dir, store: await storeOf(t) }
}

/** Writes this many records, closes cleanly and returns the complaints. */
async function write({ dir, store }: { dir: string; store: Store }, tenantId: string, records: number): Promise<readonly string[]> {
  const said: string[] = []
  const trail = openAuditFiles({ dir, store, log: { error: (_fields, message) => void said.push(message) } })
  for (let index = 0; index < records; index++) await trail.append(tenantId, [entry(`r${index}`)])
  await trail.close()
  return said
}

async function faults({ dir, store }: { dir: string; store: Store }, tenantId: string): Promise<readonly AuditFault[]> {
  const found: AuditFault[] = []
  await verifyAudit(dir, tenantId, (fault) => found.push(fault), {
    stored: await trailEnds(store, dirname(dir)).of(tenantId),
  })
  return found
}

test('a trail that was removed as a whole is missed: the store has its last number', async (t) => {
  const at = await place(t)
  await write(at, 'acme', 3)
  assert.deepEqual(await faults(at, 'acme'), [])
  await rm(join(at.dir, 'acme'), { recursive: true })
  assert.deepEqual(
    (await faults(at, 'acme')).map(({ kind, message }) => [kind, message]),
    [['missing', 'the trail is gone: it had 3 records']],
  )
})

test('the next start tells of it, and what is written afterwards does not cover it', async (t) => {
  const at = await place(t)
  await write(at, 'acme', 3)
  const known = await trailEnds(at.store, dirname(at.dir)).of('acme')
  assert.equal(known?.seq, 3)
  await rm(join(at.dir, 'acme'), { recursive: true })
  const said = await write(at, 'acme', 5)
  assert.ok(said.includes('the audit trail of a tenant is gone; see `gateway audit verify`'), said.join())
  assert.ok(said.includes('the audit trail did not end as it was left; see `gateway audit verify`'), said.join())
  const [first] = await linesOf(at.dir, 'acme')
  assert.equal(first?.name, 'audit.recovered')
  assert.deepEqual(first?.details, { head: known })
  assert.deepEqual(
    (await faults(at, 'acme')).map(({ seq, message }) => [seq, message]),
    [[1, 'at this restart the trail had lost its end: record 3 had been written and was gone or another']],
  )
})

test('an end that was cut off together with its head is missed, and a trail begun anew is not taken for the old one', async (t) => {
  const at = await place(t)
  await write(at, 'acme', 4)
  const folder = join(at.dir, 'acme')
  const day = join(folder, '2026-01-05.jsonl')
  const lines = (await readFile(day, 'utf8')).trimEnd().split('\n')
  await rm(join(folder, 'head.json'))
  await writeFile(day, `${lines.slice(0, 2).join('\n')}\n`)
  assert.deepEqual(
    (await faults(at, 'acme')).map(({ message }) => message),
    ['records 3 to 4 are missing at the end'],
  )
  const forged = join(await auditDir(t), 'audit')
  await mkdir(forged)
  const other = openAuditFiles({ dir: forged })
  for (let index = 0; index < 6; index++) await other.append('acme', [entry(`forged${index}`)])
  await other.close()
  await writeFile(day, await readFile(join(forged, 'acme', '2026-01-05.jsonl')))
  assert.deepEqual(
    (await faults(at, 'acme')).map(({ kind, message }) => [kind, message]),
    [['changed', 'record 4 is not the one the store names']],
  )
})

test('what a killed process wrote last is in the trail though the store does not know of it yet, and is no fault', async (t) => {
  const at = await place(t)
  await write(at, 'acme', 2)
  const killed = openAuditFiles({ dir: at.dir, store: at.store })
  await killed.append('acme', [entry('last')])
  assert.equal((await trailEnds(at.store, dirname(at.dir)).of('acme'))?.seq, 2)
  assert.deepEqual(await faults(at, 'acme'), [])
  await killed.close()
  assert.equal((await trailEnds(at.store, dirname(at.dir)).of('acme'))?.seq, 3)
})

test('a trail whose oldest days were purged up to what the store knows is whole', async (t) => {
  const at = await place(t)
  await write(at, 'acme', 2)
  const known = await trailEnds(at.store, dirname(at.dir)).of('acme')
  const trail = openAuditFiles(at)
  await trail.append('acme', [entry('later', { at: Date.parse('2026-01-06T09:00:00.000Z') })])
  assert.equal(await trail.purge('acme', '2026-01-06'), 1)
  const found: AuditFault[] = []
  await verifyAudit(at.dir, 'acme', (fault) => found.push(fault), { stored: known })
  assert.deepEqual(found, [])
  await trail.close()
})

test('a tenant whose trail is removed with it leaves nothing to be missed, whatever was still to be told', async (t) => {
  const at = await place(t)
  const trail = openAuditFiles(at)
  await trail.append('acme', [entry('a')])
  await trail.append('beta', [entry('b')])
  await trail.remove('acme')
  await trail.close()
  const ends = trailEnds(at.store, dirname(at.dir))
  assert.equal(await ends.of('acme'), undefined)
  assert.equal((await ends.of('beta'))?.seq, 1)
})

test('nodes that share a store are told apart by an id in their data folder, and keep it', async (t) => {
  const store = await storeOf(t)
  const shared = { shared: true, collection: store.collection.bind(store) } as unknown as Store
  const [one, two] = [await auditDir(t), await auditDir(t)]
  await trailEnds(shared, one).put('acme', { seq: 7, hash: 'h' }, 0)
  assert.equal(await trailEnds(shared, two).of('acme'), undefined)
  assert.equal((await trailEnds(shared, one).of('acme'))?.seq, 7)
  assert.equal((await stat(join(one, 'node.id'))).mode & 0o777, 0o600)
})
