/** Fills a store with pending tasks before the service opens it: `seed.ts <data folder> <repo> <count> [tenant]`. Over HTTP a million would take minutes. */
import { standardPlugins } from '@gateway/standard'
import { systemClock } from '../kernel/core/src/clock.ts'
import { openSqlite } from '../kernel/storage-sqlite/src/index.ts'
import { derived } from '../plugins/tasks/src/rules/stage.ts'
import { PRIORITIES } from '../plugins/tasks/src/schema.ts'

const [dataDir = '', repo = '', count = '0', tenant = 'local'] = process.argv.slice(2)
const BATCH = 10_000
const FIRST = Date.parse('2026-01-01T00:00:00.000Z')

const store = await openSqlite({ dataDir, clock: systemClock, log: console })
const collections = standardPlugins.flatMap((plugin) => plugin.collections)
await store.prepare(collections)
const tasks = collections.find((collection) => collection.id === 'tasks')
if (tasks === undefined) throw new Error('the tasks plugin has no collection named tasks')
const pending = store.collection(tasks, tenant)

for (let from = 0; from < Number(count); from += BATCH) {
  const size = Math.min(BATCH, Number(count) - from)
  await Promise.all(Array.from({ length: size }, (_, offset) => pending.insert(task(from + offset))))
}
await store.close()

/** Returns a task as tasks_create would have stored it. */
function task(index: number): object {
  const at = new Date(FIRST + index)
  const createdAt = at.toISOString()
  return derived(
    {
      taskId: `task-seed${String(index).padStart(9, '0')}`,
      repo,
      title: `Seeded task ${index}`,
      priority: PRIORITIES[index % PRIORITIES.length] ?? 'P2',
      status: 'pending',
      source: 'manual',
      dependsOn: [],
      createdAt,
      updatedAt: createdAt,
      outputTokens: 0,
      retryCount: 0,
      pacingDeferCount: 0,
      routeExhaustedCount: 0,
      noopDispatchCount: 0,
      waitingOn: 0,
      dependents: 0,
    },
    at,
  )
}
