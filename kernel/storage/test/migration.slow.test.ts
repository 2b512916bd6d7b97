import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { systemClock } from '../../core/src/clock.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { openSqlite } from '../../storage-sqlite/src/index.ts'
import { finish } from '../src/migration/migrate.ts'
import { collections, migrating, seats, things } from './migration-fixture.ts'
import { silent } from './subject.ts'
import { temporaryFolder } from './temporary-folder.ts'

const DOCUMENTS = Number(process.env.MIGRATION_DOCUMENTS ?? 2_000)
const KILLS = Number(process.env.MIGRATION_KILLS ?? 4)
/** No tenant has more: tenants grow in number rather than in size. */
const DOCUMENTS_OF_TENANT = 2_500
const TENANTS = Math.max(4, Math.ceil(DOCUMENTS / DOCUMENTS_OF_TENANT))
const PAGE = 500
/** Pages of a process until its kill: together the killed ones get through about both passes of the copy. */
const MOST_PAGES = Math.max(2, Math.ceil((4 * DOCUMENTS) / PAGE / KILLS))
/** Time in which a page is written. */
const WITHIN_A_PAGE_MS = 500

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

/**
 * Copies with processes, as many of which are killed at random moments; the last one ends by itself. Each is killed after some pages,
 * so that the kills meet all parts of the copy, however fast the machine is.
 */
async function copyKilled(settings: object, target: string): Promise<void> {
  for (let killed = 0; ; ) {
    const program = [join(import.meta.dirname, 'migration-process.ts'), JSON.stringify(settings), target]
    const child = spawn(process.execPath, [...process.execArgv, ...program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const ended = once(child, 'exit')
    let pages = 1 + Math.floor(Math.random() * MOST_PAGES)
    child.on('message', () => {
      if (killed < KILLS && --pages === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * WITHIN_A_PAGE_MS)
    })
    const [code, signal] = await ended
    if (signal === 'SIGKILL') {
      killed++
      continue
    }
    assert.equal(code, 0)
    if (killed === KILLS) return
  }
}

test(`${DOCUMENTS} documents go to MongoDB and back, each copy killed ${KILLS} times, and have the same digests at every place${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
  timeout: 600_000 + DOCUMENTS * 40,
}, async (t) => {
  const [from, back] = [temporaryFolder(), temporaryFolder()]
  t.after(() => {
    from.remove()
    back.remove()
  })
  const address = new URL((await (server as NonNullable<typeof server>)).url)
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await fill(from.path)

  // A look at all of a million documents takes the server of the tests longer than the usual limit.
  const here = { GATEWAY_DATA_DIR: from.path, GATEWAY_MONGODB_TIMEOUT_MS: '120000' }
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
