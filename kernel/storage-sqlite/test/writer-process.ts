import { defineCollection, Type } from '@gateway/sdk'
import { openSqlite } from '../src/index.ts'

const notes = defineCollection('notes', {
  schema: Type.Object({ id: Type.String(), n: Type.Number(), body: Type.Optional(Type.String()) }),
  key: 'id',
  indexes: [{ keys: { n: 1 } }],
  text: ['body'],
})
const store = await openSqlite({ dataDir: process.argv[2] as string, clock: { now: Date.now }, log: { warn() {} } })
await store.prepare([notes])
const collection = store.collection<{ id: string; n: number; body: string }>(notes, 't')

/** Several at once, so that groups of more than one are cut off too. */
async function insertForever(name: number): Promise<never> {
  for (let n = 0; ; n++) {
    const { id } = await collection.insert({ id: `${name}-${n}`, n, body: `number ${n}` })
    process.stdout.write(`${id}\n`)
  }
}
await Promise.all([1, 2, 3, 4, 5].map(insertForever))
