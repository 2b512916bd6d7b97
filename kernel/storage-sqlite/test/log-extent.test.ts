import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'
import { openSqlite } from '../src/index.ts'
import { LogExtent } from '../src/log-extent.ts'

const notes = defineCollection('notes', { schema: Type.Object({ id: Type.String(), body: Type.String() }), key: 'id' })
type Note = { id: string; body: string }

/** Copies the data folder of a store that is open, as SIGKILL would leave it. */
async function killed() {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes])
  const collection = one.store.collection<Note>(notes, 't')
  for (let n = 0; n < 60; n++) await collection.insert({ id: `note-${n}`, body: 'x'.repeat(2_000) })
  const folder = temporaryFolder()
  cpSync(one.dataDir, folder.path, { recursive: true, filter: (path) => !path.endsWith('.lock') })
  const log = join(folder.path, 'store', 'gateway.db-wal')
  // The note of the last second would come a second later; a note of the whole log stands for it.
  rmSync(`${log}.extent`, { force: true })
  await new LogExtent(join(folder.path, 'store', 'gateway.db')).note()
  const warned: string[] = []
  const open = async () => {
    return openSqlite({ dataDir: folder.path, clock: testClock(), log: { warn: (message) => warned.push(message) } })
  }
  return { ...one, folder, log, open, warned }
}

test('a log that was cut in half is said at the start, and by the health page, instead of being taken for a short one', async () => {
  const one = await killed()
  truncateSync(one.log, Math.floor(statSync(one.log).size / 2))
  const store = await one.open()
  assert.deepEqual(one.warned, ['the write-ahead log was cut'])
  assert.match(String((await store.health()).damaged), /Acknowledged writes at its end are lost/)
  await store.close()
  one.folder.remove()
  await one.dispose()
})

test('a log that a killed process left whole raises no alarm, and a clean stop leaves no note', async () => {
  const one = await killed()
  const store = await one.open()
  assert.deepEqual([one.warned, (await store.health()).damaged], [[], undefined])
  await store.close()
  assert.equal(existsSync(`${one.log}.extent`), false)
  one.folder.remove()
  await one.dispose()
})
