import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Collection, defineCollection, Type } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'
import { Connection } from '../src/connection.ts'
import { loadDriver } from '../src/driver.ts'

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), text: Type.String() }),
  key: 'id',
  text: { prepared: { text: 1 } },
})
type Note = { id: string; text: string }

async function noted() {
  const one = await subject({ clock: testClock() })
  await one.store.prepare([notes])
  const c: Collection<Note> = one.store.collection<Note>(notes, 't')
  const path = join(one.dataDir, 'store', 'gateway.db')
  let written = 0
  return {
    ...one,
    c,
    async write(times: number): Promise<void> {
      for (let i = 0; i < times; i++, written++) await c.insert({ id: `${written}`, text: `word of note${written}` })
    },
    found: async (text: string) => (await c.search({ text, limit: 100 })).map(({ item, score }) => [item.id, score]),
    /** Number of segments that a search looks into for each word. */
    async parts(): Promise<number> {
      const db = new Connection((await loadDriver()).open(path, { readOnly: true }))
      const row = db.get(`select count(distinct id >> 37) as n from "notes:text_data" where id >= 1 << 37`)
      db.close()
      return row?.n as number
    },
    logBytes: () => statSync(`${path}-wal`).size,
  }
}

test('a text index that is tidied has fewer parts, and finds the same', async () => {
  const one = await noted()
  try {
    // FTS5 itself merges them at the sixteenth.
    await one.write(15)
    const [parts, found] = [await one.parts(), await one.found('word note7')]
    await one.c.deleteOne('3')
    await one.store.tidyTexts()
    assert.ok(parts === 15, `${parts} parts before`)
    assert.ok((await one.parts()) <= 3, `${await one.parts()} parts after`)
    assert.deepEqual(
      (await one.found('word note7')).map(([id]) => id),
      found.map(([id]) => id).filter((id) => id !== '3'),
    )
    assert.equal((await one.found('note3')).length, 0)
  } finally {
    await one.dispose()
  }
})

test('an index that nobody has written to since is left alone', async () => {
  const one = await noted()
  try {
    await one.write(10)
    await one.store.tidyTexts()
    const before = one.logBytes()
    await one.store.tidyTexts()
    assert.equal(one.logBytes(), before)
    await one.write(9)
    const grown = one.logBytes()
    await one.store.tidyTexts()
    assert.ok(one.logBytes() > grown)
  } finally {
    await one.dispose()
  }
})
