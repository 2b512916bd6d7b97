/** Fills a store with log lines and past runs: `seed-records.ts <data folder> <count>`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeId } from '@gateway/sdk/ring'
import { standardPlugins } from '@gateway/standard'
import { systemClock } from '../kernel/core/src/clock.ts'
import { openSqlite } from '../kernel/storage-sqlite/src/index.ts'

const [dataDir = '', given = '0'] = process.argv.slice(2)
const count = Number(given)
const BATCH = 1_000
const LEVELS = ['debug', 'info', 'warn', 'error']
const SERVICES = ['gateway', 'runner', 'agent', undefined]
const first = Date.now() - count

// Room for the seeded records, so that additions of the measurement evict none.
const room = 10 * count + 1_000_000
writeFileSync(
  join(dataDir, 'gateway.config.json'),
  JSON.stringify({ plugins: { logs: { maxLines: Math.min(room, 10_000_000) }, 'job-history': { maxJobs: Math.min(room, 10_000_000) } } }),
)

const store = await openSqlite({ dataDir, clock: systemClock, log: console })
const refs = standardPlugins.flatMap((plugin) => plugin.collections)
await store.prepare(refs)
await fill('logs', (index) => ({
  logId: placeId('log-', index + 1),
  correlationId: `task-${index % 1_000}`,
  service: SERVICES[index % 4],
  level: LEVELS[(index >> 2) % 4],
  message: `Seeded line ${index}`,
  createdAt: new Date(first + index).toISOString(),
}))
await fill('job-history', (index) => ({
  jobId: placeId('job-', index + 1),
  repo: `repo-${index % 10}`,
  taskId: `task-${Math.floor(index / 4)}`,
  status: statusOf(index),
  resultLine: `Seeded run ${index}`,
  logFile: `/runs/${index}.log`,
  startedAtMs: first + index,
  recordedAt: new Date(first + index).toISOString(),
  updatedAt: new Date(first + index).toISOString(),
}))
const runs = new Map<string, number>()
for (let index = 0; index < count; index += 1)
  for (const repo of [`repo-${index % 10}`, null]) {
    const of = JSON.stringify([repo, statusOf(index)])
    runs.set(of, (runs.get(of) ?? 0) + 1)
  }
await collection('job-history.counts').insertMany([...runs].map(([of, number]) => ({ of, runs: number })))
await store.close()

function statusOf(index: number): string {
  return index % 3 === 0 ? 'failed' : 'done'
}

async function fill(id: string, document: (index: number) => object): Promise<void> {
  const documents = collection(id)
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from)
    await documents.insertMany(Array.from({ length: size }, (_, offset) => document(from + offset)))
  }
  await collection(`${id}.rings`).insert({ ring: 'ring', last: count, dropped: 0 })
}

function collection(id: string) {
  const ref = refs.find((one) => one.id === id)
  if (ref === undefined) throw new Error(`no plugin has a collection named ${id}`)
  return store.collection<object>(ref, 'local')
}
