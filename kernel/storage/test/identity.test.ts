import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { openSqlite, type SqliteOptions } from '../../storage-sqlite/src/index.ts'
import { silent, subject } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String() }), key: 'id' })

async function used() {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes])
  await one.store.collection<{ id: string }>(notes, 't').insert({ id: 'a' })
  const [file, id] = [join(one.dataDir, 'store', 'gateway.db'), join(one.dataDir, 'keys', 'store.id')]
  return { ...one, file, id }
}

function each(file: string, lose: (path: string) => void): void {
  for (const path of [file, `${file}-wal`]) lose(path)
}

/** Files as a killed process would leave them: a copy of their present state, without the process. */
function crashImage(dataDir: string) {
  const folder = temporaryFolder()
  for (const part of ['store/gateway.db', 'store/gateway.db-wal', 'keys/store.id'])
    if (existsSync(join(dataDir, part))) cpSync(join(dataDir, part), join(folder.path, part))
  const open = (changed: Partial<SqliteOptions> = {}) => openSqlite({ dataDir: folder.path, clock: testClock(), log: silent, ...changed })
  return { ...folder, open, file: join(folder.path, 'store', 'gateway.db') }
}

test('a store that was emptied, removed, or has lost its log is refused by name, left as it is, and begun anew when told so', async () => {
  const one = await used()
  const losses: readonly (readonly [string, (file: string) => void])[] = [
    ['emptied', (file) => each(file, truncateSync)],
    ['removed', (file) => each(file, rmSync)],
    ['without its log', (file) => rmSync(`${file}-wal`)],
    ['with the header of its log damaged', (file) => writeFileSync(`${file}-wal`, Buffer.alloc(32, 7), { flag: 'r+' })],
  ]
  for (const [name, lose] of losses) {
    const image = crashImage(one.dataDir)
    lose(image.file)
    const log = (): Buffer | undefined => (existsSync(`${image.file}-wal`) ? readFileSync(`${image.file}-wal`) : undefined)
    const before = log()
    await assert.rejects(image.open(), /there was a store in this data folder.*gateway backup.*GATEWAY_NEW_STORE=1/, name)
    assert.deepEqual(log() ?? Buffer.of(), before ?? Buffer.of(), `${name}: what is left of the log is there for who looks`)
    const anew = await image.open({ newStore: true })
    await anew.prepare([notes])
    await anew.close()
    await (await image.open()).close()
    image.remove()
  }
  await one.dispose()
})

test('a killed process’s store is taken as it is', async () => {
  const one = await used()
  const image = crashImage(one.dataDir)
  const store = await image.open()
  await store.prepare([notes])
  assert.deepEqual(await store.collection<{ id: string }>(notes, 't').get('a'), { id: 'a' })
  await store.close()
  image.remove()
  await one.dispose()
})

test('an empty store beside an audit trail is refused, also where nobody wrote down its id', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'audit', 'local'), { recursive: true })
  const open = () => openSqlite({ dataDir: folder.path, clock: testClock(), log: silent })
  await (await open()).close()
  for (const name of ['store', 'keys']) rmSync(join(folder.path, name), { recursive: true })
  writeFileSync(join(folder.path, 'audit', 'local', '2026-01-01.jsonl'), '{}\n')
  await assert.rejects(open(), /gateway\.db is not there, but the audit trail beside it has records/)
  folder.remove()
})

test('a store without an id, as of an earlier version, and a restored one without the file beside it are taken', async () => {
  const one = await used()
  await one.store.close()
  const id = readFileSync(one.id, 'utf8')
  rmSync(one.id)
  await (await one.reopen()).close()
  assert.equal(readFileSync(one.id, 'utf8'), id)
  await one.dispose()
})

test('after a clean stop the database file alone is the whole store', async () => {
  const one = await used()
  await one.store.close()
  const image = crashImage(one.dataDir)
  rmSync(`${image.file}-wal`, { force: true })
  const store = await image.open()
  await store.prepare([notes])
  assert.deepEqual(await store.collection<{ id: string }>(notes, 't').get('a'), { id: 'a' })
  await store.close()
  image.remove()
  await one.dispose()
})

test('a database of another program is refused before anything is written to it', async () => {
  const { loadDriver } = await import('../../storage-sqlite/src/driver.ts')
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'store'))
  const file = join(folder.path, 'store', 'gateway.db')
  const db = (await loadDriver()).open(file)
  db.exec('create table recipes (a)')
  db.close()
  const before = readFileSync(file)
  await assert.rejects(openSqlite({ dataDir: folder.path, clock: testClock(), log: silent }), /database of another program/)
  assert.deepEqual(readFileSync(file), before)
  folder.remove()
})
