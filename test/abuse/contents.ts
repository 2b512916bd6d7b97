import { createHash } from 'node:crypto'
import { DatabaseSync } from '@photostructure/sqlite'
import { databasesIn } from '../crash/powercut/damage.ts'

/**
 * Tables that the gateway writes on its own schedule: locks of jobs, its health, counts of calls, alerts about a slow machine, samples of the queue, the time of a first call, the last
 * number of each audit trail, places of events in the journal, and the state of memory's first index. Their writers run during a test, regardless of its length.
 */
const RESTLESS: ReadonlySet<string> = new Set([
  'gateway.jobs',
  'gateway.audit-ends',
  'health',
  'usage.counts',
  'notifications',
  'notifications.rings',
  'tasks.samples',
  'dashboard.firsts',
  'events.journal',
  'events.states',
  'memory.preparation',
])

/** Returns a digest per table of a data folder, read while the gateway runs. */
export function contentsOf(dataDir: string): Readonly<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const path of databasesIn(dataDir)) {
    const database = new DatabaseSync(path, { readOnly: true })
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").all() as {
      name: string
    }[]
    for (const { name } of tables) {
      if (RESTLESS.has(name)) continue
      const hash = createHash('sha256')
      let rows = 0
      for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
        hash.update(JSON.stringify(Object.values(row as object).map(plain)))
        rows++
      }
      digests[name] = `${rows} rows, ${hash.digest('hex').slice(0, 16)}`
    }
    database.close()
  }
  return digests
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : typeof value === 'bigint' ? String(value) : value
