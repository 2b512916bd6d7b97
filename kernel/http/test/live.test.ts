import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  alertRaised,
  atomically,
  closed,
  defineCollection,
  definePage,
  definePlugin,
  defineTool,
  newsPosted,
  Panel,
  Type,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type Watcher, Watchers } from '../src/live/watchers.ts'

const Book = Type.Object({ bookId: Type.String(), note: Type.Optional(Type.String()) })
const books = defineCollection('shelves.books', { schema: Book, key: 'bookId' })
const loans = defineCollection('shelves.loans', { schema: Book, key: 'bookId' })
const unseen = defineCollection('shelves.unseen', { schema: Book, key: 'bookId' })
const input = Type.Object({ bookId: Type.String() }, closed)
const listOf = (name: string, capability: 'read' | 'configure', collection: typeof books) =>
  defineTool({
    name,
    description: 'Lists them.',
    capability,
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ books: Type.Array(Book) }),
    uses: { collection },
    handle: async (_, { collection }) => ({ books: [...(await collection.find()).items] }),
  })
const bookList = listOf('book_list', 'read', books)
const loanList = listOf('loan_list', 'configure', loans)
const write = { capability: 'read', effect: 'write', input, output: Type.Object({}) } as const
const shelves = definePlugin({
  id: 'shelves',
  sdk: '^1.0.0',
  description: 'Shelves.',
  collections: [books, loans, unseen],
  tools: [
    bookList,
    loanList,
    defineTool({
      ...write,
      name: 'book_add',
      description: 'Adds it.',
      uses: { books, unseen, news: newsPosted, alert: alertRaised },
      async handle({ bookId }, { books, unseen, news, alert }) {
        await unseen.insert({ bookId })
        await books.insert({ bookId })
        const to = /^for-(.+)$/.exec(bookId)?.[1]
        news.emit({ title: bookId, tone: 'good', path: `/books/${bookId}`, ...(to !== undefined && { to }) })
        if (bookId === 'rare') alert.emit({ level: 'critical', source: 'shelves', title: 'Rare', message: 'A rare book.' })
        return {}
      },
    }),
    defineTool({
      ...write,
      name: 'book_lend',
      description: 'Lends it, or fails.',
      uses: { books, loans, atomically },
      async handle({ bookId }, { books, loans, atomically }) {
        await atomically(async (tx) => {
          await loans.in(tx).insert({ bookId })
          await loans.in(tx).updateOne(bookId, { set: { note: 'lent' } })
          if (bookId === 'lost') throw new Error('lost')
          await books.in(tx).deleteOne(bookId)
        })
        return {}
      },
    }),
  ],
  pages: [
    definePage({
      path: '/books',
      title: 'Books',
      icon: 'book',
      group: 'work',
      panels: [bookList, loanList].map((from) =>
        Panel.table({
          id: from.name.replace('_', '-'),
          title: 'Books',
          from,
          rows: '/books',
          key: '/bookId',
          columns: { Id: '/bookId' },
          empty: 'None.',
        }),
      ),
    }),
  ],
})

const start = (): Promise<TestGateway> =>
  startTestGateway({ plugins: [shelves], listen: true, env: { RBAC_ENFORCE: 'true', GATEWAY_LOOPBACK_TRUST: '1' } })

async function keyOf(gateway: TestGateway, tenantId: string, role: 'viewer' | 'admin' = 'admin'): Promise<Record<string, string>> {
  await gateway.tenants.create({ tenantId, name: tenantId, plan: 'team' }).catch(() => undefined)
  const { apiKey } = await gateway.tenants.issueKey(tenantId, { role, environment: 'live' })
  return { 'x-api-key': apiKey }
}

interface Told {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An open stream; `next` is the next event of a name, `end` tells whether it has ended. */
async function listen(gateway: TestGateway, headers: Record<string, string> = {}) {
  const disconnect = new AbortController()
  const answer = await fetch(`${gateway.url}/api/dashboard/events`, { headers, signal: disconnect.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<Told | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, event = '', data = '{}'] = /event: (.*)\ndata: (.*)/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (event !== '') return { event, data: JSON.parse(data) }
        continue
      }
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
  }
  const named = async (event: string): Promise<Told['data'] | undefined> => {
    for (;;) {
      const told = await next()
      if (told === undefined || told.event === event) return told?.data
    }
  }
  /** The next chunk as received, including comments. */
  const piece = async (): Promise<string | undefined> => (await reader?.read())?.value
  return { piece, status: answer.status, type: answer.headers.get('content-type'), next, named, close: () => disconnect.abort() }
}

const add = (gateway: TestGateway, bookId: string, tenantId: string) =>
  gateway.call('book_add', { bookId }, { as: { tenantId, role: 'admin' } })

test('a stream begins with hello, and names what is committed in the caller’s tenant, and nothing that no page shows', async () => {
  await using gateway = await start()
  const stream = await listen(gateway, await keyOf(gateway, 'acme'))
  assert.deepEqual(
    [stream.status, stream.type, await stream.next()],
    [200, 'text/event-stream', { event: 'hello', data: { heartbeatSeconds: 15 } }],
  )
  await add(gateway, 'a', 'acme')
  assert.deepEqual(await stream.named('changed'), { collections: ['shelves.books'] })
  stream.close()
})

test('what changes within a moment is told together, of a transaction once it is committed, and never when it is rolled back', async () => {
  await using gateway = await start()
  const stream = await listen(gateway, await keyOf(gateway, 'acme'))
  await stream.named('hello')
  const as = { tenantId: 'acme', role: 'admin' } as const
  await assert.rejects(gateway.call('book_lend', { bookId: 'lost' }, { as }))
  await add(gateway, 'a', 'acme')
  assert.deepEqual(await stream.named('changed'), { collections: ['shelves.books'] })
  await gateway.call('book_lend', { bookId: 'a' }, { as })
  const { collections } = (await stream.named('changed')) as { collections: string[] }
  assert.deepEqual(collections.sort(), ['shelves.books', 'shelves.loans'])
  stream.close()
})

test('a tenant hears nothing of another; the operator, whose pages show the fleet, hears of all', async () => {
  await using gateway = await start()
  const acme = await listen(gateway, await keyOf(gateway, 'acme'))
  const other = await listen(gateway, await keyOf(gateway, 'other'))
  const operator = await listen(gateway)
  for (const stream of [acme, other, operator]) await stream.named('hello')
  await add(gateway, 'a', 'acme')
  assert.deepEqual(await operator.named('changed'), { collections: ['shelves.books'] })
  assert.deepEqual(await acme.named('news'), { title: 'a', tone: 'good', path: '/books/a' })
  await add(gateway, 'b', 'other')
  assert.deepEqual((await other.next())?.data, { title: 'b', tone: 'good', path: '/books/b' }, 'the first it hears is its own')
  for (const stream of [acme, other, operator]) stream.close()
})

test('a caller hears of no collection whose panels are not its to see', async () => {
  await using gateway = await start()
  const viewer = await listen(gateway, await keyOf(gateway, 'acme', 'viewer'))
  await viewer.named('hello')
  await add(gateway, 'a', 'acme')
  await viewer.named('changed')
  await gateway.call('book_lend', { bookId: 'a' }, { as: { tenantId: 'acme', role: 'admin' } })
  assert.deepEqual(await viewer.named('changed'), { collections: ['shelves.books'] })
  viewer.close()
})

test('news for one person is told to the key with that label alone', async () => {
  await using gateway = await start()
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const streamOf = async (label: string) => {
    const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'admin', label, environment: 'live' })
    const stream = await listen(gateway, { 'x-api-key': apiKey })
    await stream.named('hello')
    return stream
  }
  const [ada, bob] = [await streamOf('Ada'), await streamOf('bob')]
  await add(gateway, 'for-ada', 'acme')
  await add(gateway, 'for-all', 'acme')
  await add(gateway, 'b', 'acme')
  assert.equal((await ada.named('news'))?.title, 'for-ada')
  assert.equal((await bob.named('news'))?.title, 'b')
  for (const stream of [ada, bob]) stream.close()
})

test('an alert is news', async () => {
  await using gateway = await start()
  const stream = await listen(gateway, await keyOf(gateway, 'acme'))
  await add(gateway, 'rare', 'acme')
  await stream.named('news')
  assert.deepEqual(await stream.named('news'), { title: 'Rare', text: 'A rare book.', tone: 'bad' })
  stream.close()
})

test('a suspended tenant’s streams end, as do all when the gateway stops', async () => {
  const gateway = await start()
  const acme = await listen(gateway, await keyOf(gateway, 'acme'))
  const operator = await listen(gateway)
  await gateway.tenants.suspend('acme')
  assert.equal(await acme.named('changed'), undefined)
  await gateway.stop()
  assert.equal(await operator.named('lost'), undefined)
})

test('a tenant has so many streams, and is told when to come back; another still has its own', async () => {
  await using gateway = await start()
  const [acme, other] = [await keyOf(gateway, 'acme'), await keyOf(gateway, 'other')]
  const open = await Promise.all(Array.from({ length: 250 }, () => listen(gateway, acme)))
  const refused = await fetch(`${gateway.url}/api/dashboard/events`, { headers: acme })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '60'])
  const third = await listen(gateway, other)
  assert.equal(third.status, 200)
  for (const stream of [...open, third]) stream.close()
})

test('a stream is kept alive every 15 seconds, and ends with the first beat after its key was revoked', async (t) => {
  await using gateway = await start()
  const key = await keyOf(gateway, 'acme')
  t.mock.timers.enable({ apis: ['setInterval'] })
  const stream = await listen(gateway, key)
  await stream.named('hello')
  t.mock.timers.tick(15_000)
  assert.equal(await stream.piece(), ': keep-alive\n\n')
  for (const { keyId } of await gateway.tenants.listKeys('acme')) await gateway.tenants.revokeKey('acme', keyId)
  t.mock.timers.tick(15_000)
  assert.equal(await stream.named('changed'), undefined)
})

test('who does not read is cut off while it does not, and its place and what it has not read are let go; who reads hears all', async () => {
  await using gateway = await start()
  const key = await keyOf(gateway, 'acme')
  const reader = await listen(gateway, key)
  await reader.named('hello')
  const { hostname, port } = new URL(gateway.url)
  const idle = connect(Number(port), hostname)
  idle.write(`GET /api/dashboard/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nx-api-key: ${key['x-api-key']}\r\n\r\n`)
  await once(idle, 'readable')
  const title = 'x'.repeat(500_000)
  // More than the buffers of both sockets hold.
  const told = 60
  for (let at = 0; at < told; at++) {
    await add(gateway, `${at} ${title}`, 'acme')
    const { title: heard } = (await reader.named('news')) as { title: string }
    assert.ok(heard.startsWith(`${at} `))
  }
  // It has read nothing yet, and its place is free: with the reader there are a hundred.
  const others = await Promise.all(Array.from({ length: 99 }, () => listen(gateway, key)))
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]))
  const closed = once(idle, 'close')
  idle.resume()
  await closed
  for (const other of others) other.close()
  reader.close()
})

test('there is room for 250 streams of a tenant and 1,000 of all; who does not keep up makes room', () => {
  const watchers = new Watchers()
  const add = (
    tenantId: string,
    role: 'viewer' | 'operator' = 'viewer',
  ): { watcher: Watcher & { full: boolean }; isCut: () => boolean } => {
    let cut = false
    const watcher = {
      caller: { id: 'u', kind: 'user', role, tenantId } as const,
      full: false,
      watches: () => true,
      notify() {},
      end() {},
      cut() {
        cut = true
        watchers.remove(watcher)
      },
    }
    watchers.add(watcher)
    return { watcher, isCut: () => cut }
  }
  const slow = add('t0')
  for (let at = 1; at < 250; at++) add('t0')
  assert.deepEqual([watchers.hasRoomFor('t0'), watchers.hasRoomFor('t1')], [false, true])
  slow.watcher.full = true
  assert.equal([...watchers.of('t1')].length, 0)
  assert.equal(slow.isCut(), false, 'nothing was to be told')
  assert.equal([...watchers.watchersOfTenantData('t0')].length, 249)
  assert.deepEqual([slow.isCut(), watchers.hasRoomFor('t0')], [true, true])
  const operator = add('local', 'operator')
  assert.deepEqual([...watchers.watchersOfTenantData('t1')], [operator.watcher])
  for (let tenant = 1; watchers.size < 1_000; tenant++) for (let at = 0; at < 90 && watchers.size < 1_000; at++) add(`t${tenant}`)
  assert.equal(watchers.hasRoomFor('new'), false)
  assert.equal([...watchers.all()].length, 1_000)
})
