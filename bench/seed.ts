/** Fills a store with pending tasks before the service opens it: `seed.ts <data folder> <repo> <count> [tenant]`. Over HTTP a million would take minutes. */
import { standardPlugins } from '@gateway/standard'
import { systemClock } from '../kernel/core/src/clock.ts'
import { openSqlite } from '../kernel/storage-sqlite/src/index.ts'
import { seededTask } from './seeded-task.ts'

const [dataDir = '', repo = '', count = '0', tenant = 'local'] = process.argv.slice(2)
const BATCH = 10_000

const store = await openSqlite({ dataDir, clock: systemClock, log: console })
const collections = standardPlugins.flatMap((plugin) => plugin.collections)
await store.prepare(collections)
const tasks = collections.find((collection) => collection.id === 'tasks')
if (tasks === undefined) throw new Error('the tasks plugin has no collection named tasks')
const pending = store.collection(tasks, tenant)

for (let from = 0; from < Number(count); from += BATCH) {
  const size = Math.min(BATCH, Number(count) - from)
  await Promise.all(Array.from({ length: size }, (_, offset) => pending.insert(seededTask(repo, from + offset))))
}
await store.close()
