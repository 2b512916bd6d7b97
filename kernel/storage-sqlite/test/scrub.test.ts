import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { silent, subject } from '../../storage/test/subject.ts'
import { Connection } from '../src/connection.ts'
import { loadDriver } from '../src/driver.ts'
import { openSqlite } from '../src/index.ts'
import { canVacuumNow, deferVacuumToStart } from '../src/vacuum.ts'

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), at: Type.String(), body: Type.String() }),
  key: 'id',
  indexes: [{ keys: { at: 1 } }],
  text: ['body'],
})
type Note = { id: string; at: string; body: string }
const kept = defineCollection('kept', { schema: Type.Object({ id: Type.String(), body: Type.String() }), key: 'id' })

function filesWith(dataDir: string, text: string): readonly string[] {
  const folder = join(dataDir, 'store')
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))
}

async function filled() {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes, kept])
  for (const tenant of ['gone', 'stays']) {
    const c = one.store.collection<Note>(notes, tenant)
    const note = (n: number) => ({ id: `${n}`, at: `at${n}`, body: `quincunx${tenant} ${'long '.repeat(n % 3 === 0 ? 2_000 : 5)}` })
    for (let n = 0; n < 300; n += 50) await c.insertMany(Array.from({ length: 50 }, (_, i) => note(n + i)))
    // Earlier changes and removals have left traces too.
    await c.updateMany({ at: { lt: 'at2' } }, { set: { body: `quincunx${tenant} changed` } })
    await c.deleteMany({ at: { gte: 'at25' } })
  }
  return one
}

test('nothing of a tenant that was removed is left in the files of the store', async () => {
  const one = await filled()
  try {
    assert.notDeepEqual(filesWith(one.dataDir, 'quincunxgone'), [])
    while ((await one.store.removeSome('gone', 100)) > 0);
    assert.equal(await one.store.scrub(), 'done')
    assert.deepEqual(filesWith(one.dataDir, 'quincunxgone'), [])
    const left = one.store.collection<Note>(notes, 'stays')
    assert.ok((await left.search({ text: 'quincunxstays' })).length > 0)
    assert.ok((await left.count()) > 100)
  } finally {
    await one.dispose()
  }
})

test('what a family that is switched off has kept goes as well', async () => {
  const one = await filled()
  await one.store.collection<{ id: string; body: string }>(kept, 'gone').insert({ id: '1', body: 'lacuna' })
  await one.store.close()
  const store = await one.reopen()
  try {
    await store.prepare([kept])
    assert.ok(((await store.documentsOf('gone')).notes ?? 0) > 100)
    while ((await store.removeSome('gone', 100)) > 0);
    assert.deepEqual(await store.documentsOf('gone'), {})
    await store.scrub()
    assert.deepEqual(filesWith(one.dataDir, 'quincunxgone'), [])
  } finally {
    await one.dispose()
  }
})

test('whether a store is written anew at once goes by what is left in it, however large its file has become', async () => {
  const one = await filled()
  const path = join(one.dataDir, 'store', 'gateway.db')
  try {
    for (const tenant of ['gone', 'stays']) while ((await one.store.removeSome(tenant, 1_000)) > 0);
    await one.store.close()
    const db = new Connection((await loadDriver()).open(path, { readOnly: true }))
    const half = statSync(path).size / 2
    assert.ok(canVacuumNow(db, half))
    assert.ok(!canVacuumNow(db, 4_096))
    db.close()
  } finally {
    await one.dispose()
  }
})

test('a store too large to be written anew at once is at its next start', async () => {
  const one = await filled()
  const path = join(one.dataDir, 'store', 'gateway.db')
  while ((await one.store.removeSome('gone', 100)) > 0);
  deferVacuumToStart(path)
  await one.store.close()
  const store = await openSqlite({ dataDir: one.dataDir, clock: testClock(), log: silent })
  try {
    assert.ok(!existsSync(`${path}.vacuum-owed`))
    await store.prepare([notes, kept])
    assert.ok((await store.collection<Note>(notes, 'stays').count()) > 100)
  } finally {
    await store.close()
    await one.dispose()
  }
})

test('what somebody reads meanwhile stays in the log, and goes at the next start', async () => {
  const one = await filled()
  const path = join(one.dataDir, 'store', 'gateway.db')
  const reader = (await loadDriver()).open(path, { readOnly: true })
  try {
    reader.exec('begin')
    reader.prepare('select count(*) from notes').get()
    while ((await one.store.removeSome('gone', 100)) > 0);
    assert.equal(await one.store.scrub(), 'later')
    assert.ok(existsSync(`${path}.vacuum-owed`))
    reader.exec('rollback')
    reader.close()
    await one.store.close()
    await one.reopen()
    assert.deepEqual(filesWith(one.dataDir, 'quincunxgone'), [])
  } finally {
    await one.dispose()
  }
})
