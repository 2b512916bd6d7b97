import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../core/src/clock.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { openSqlite } from '../../storage-sqlite/src/index.ts'
import { finish } from '../src/migration/migrate.ts'
import { collections, migrating, seats, things } from './migration-fixture.ts'
import { silent } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const DOCUMENTS = Number(process.env.MIGRATION_DOCUMENTS ?? 2_000)
const KILLS = Number(process.env.MIGRATION_KILLS ?? 4)
const TENANTS = 4
const PAGE = 500

const lacking = lacksServer()
const server = lacking === undefined ? mongoServer() : undefined
after(async () => (await server)?.stop())

async function fill(dataDir: string): Promise<void> {
  const store = await openSqlite({ dataDir, clock: systemClock, log: silent, keepExpired: true })
  await store.prepare(collections)
  for (let n = 0; n < DOCUMENTS; n += PAGE) {
    const docs = Array.from({ length: Math.min(PAGE, DOCUMENTS - n) }, (_, i) => ({
      id: `thing-${n + i}`,
      name: (n + i) % 5 === 0 ? null : `number ${n + i} of many`,
      n: (n + i) % 97,
      data: { list: [n, { deep: 'ﬁ' }] },
    }))
    await store.collection<object>(things, `tenant-${(n / PAGE) % TENANTS}`).insertMany(docs)
  }
  await store.collection<object>(seats, 'tenant-0').insert({ id: 'seat', holder: 'a' })
  await store.close()
}

/** Copies with processes, as many of which are killed at random moments. */
async function copyKilled(settings: object, target: string): Promise<void> {
  let [killed, longestMs] = [0, 1_000]
  for (;;) {
    const program = [join(import.meta.dirname, 'migration-process.ts'), JSON.stringify(settings), target]
    const child = spawn(process.execPath, [...process.execArgv, ...program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const ended = once(child, 'exit')
    const begun = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    const startedAt = performance.now()
    if (begun && killed < KILLS) {
      await Promise.race([sleep(Math.random() * longestMs), ended])
      child.kill('SIGKILL')
    }
    const [code, signal] = await ended
    if (signal === 'SIGKILL') {
      killed++
      // Kills come later and later, so that they meet all parts of the copy.
      longestMs *= 1.5
      continue
    }
    assert.equal(code, 0)
    if (killed === KILLS) return
    longestMs = (performance.now() - startedAt) / 2
  }
}

test(`${DOCUMENTS} documents go to MongoDB and back, each copy killed ${KILLS} times, and have the same digests at every place${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
  timeout: 600_000 + DOCUMENTS * 20,
}, async (t) => {
  const [from, back] = [temporaryFolder(), temporaryFolder()]
  t.after(() => {
    from.remove()
    back.remove()
  })
  const address = new URL((await (server as NonNullable<typeof server>)).url)
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await fill(from.path)

  const here = { GATEWAY_DATA_DIR: from.path }
  await copyKilled(here, address.href)
  const there = await migrating(here, address.href, true, finish)
  assert.deepEqual(
    there.map(({ documents, equal }) => [documents, equal]),
    [
      [DOCUMENTS, true],
      [1, true],
    ],
  )

  const away = { ...here, MONGODB_URL: address.href }
  await copyKilled(away, `sqlite:${back.path}`)
  assert.deepEqual(await migrating(away, `sqlite:${back.path}`, true, finish), there)
})
