import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AttentionSource,
  type AttentionView,
  arg,
  attentionSource,
  closed,
  contribute,
  type DashboardView,
  defineCollection,
  definePage,
  definePlugin,
  defineRawRoute,
  defineRoute,
  defineService,
  defineTool,
  Panel,
  type PanelView,
  provide,
  Type,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { addTenants, SESSION_SECRET, userOf } from '../../mcp/test/tokens.ts'

const books = defineCollection('shelves.books', { schema: Type.Object({ bookId: Type.String() }), key: 'bookId' })
const catalogue = defineService<{ read(): void }>('shelves.catalogue')
const output = Type.Object({ books: Type.Array(Type.Object({ bookId: Type.String() })) })
const read = { effect: 'read', output, handle: async () => ({ books: [] }) } as const
const list = defineTool({
  ...read,
  name: 'book_list',
  description: 'Lists the books.',
  capability: 'read',
  uses: { catalogue },
  input: Type.Object({ kind: Type.Optional(Type.Enum(['old', 'new'])), isLent: Type.Optional(Type.Boolean()) }, closed),
})
const secret = defineTool({
  ...read,
  name: 'book_secrets',
  description: 'Lists them.',
  capability: 'operator',
  input: Type.Object({}, closed),
})
const add = defineTool({
  name: 'book_add',
  description: 'Adds a book.',
  capability: 'configure',
  effect: 'write',
  input: Type.Object({ bookId: Type.String(), kind: Type.Optional(Type.Enum(['old', 'new'])) }, closed),
  output: Type.Object({}),
  handle: async () => ({}),
})
const close = defineRoute({
  name: 'shelves.close',
  description: 'Closes them.',
  capability: 'operator',
  credential: 'admin-and-local',
  effect: 'write',
  rest: 'POST /api/shelves/close',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  handle: async () => ({}),
})
const visit = defineRawRoute({
  name: 'shelves.visit',
  description: 'Visits one.',
  capability: 'read',
  credential: 'caller',
  effect: 'write',
  rest: 'POST /api/shelves/:shelfId',
  idleMs: 1_000,
  input: Type.Object({ shelfId: Type.String(), as: Type.Optional(Type.String()) }, closed),
  handle: async (_input, _uses, _ctx, exchange) => void exchange.answer(200, {}).end(),
})
const panel = {
  from: list,
  rows: '/books',
  key: '/bookId',
  columns: { Id: '/bookId' },
  empty: { text: 'No book.', action: 'add' },
} as const
const shelves = definePlugin({
  id: 'shelves',
  sdk: '^1.0.0',
  description: 'Shelves.',
  collections: [books],
  tools: [list, secret, add],
  routes: [close, visit],
  provides: [provide(catalogue, { uses: { books }, create: () => ({ read() {} }) })],
  contributes: [
    contribute(attentionSource, {
      create: (_, ctx): AttentionSource => ({
        kind: 'overdue',
        capability: 'work',
        actions: [
          { id: 'lend', label: 'Lend', tool: add, arguments: { bookId: arg.row('/id') } },
          { id: 'close', label: 'Close', tool: close },
        ],
        look: async () => ({
          count: 3,
          items: [
            {
              id: 'b1',
              title: 'Due',
              tone: 'warn',
              at: '2026-01-01T00:00:00.000Z',
              count: 2,
              link: { to: '/books/:bookId', with: { bookId: 'b/1', from: 'queue' } },
            },
            { id: 'b2', title: `Due in ${ctx.tenantId}`, tone: 'bad', at: '2026-01-02T00:00:00.000Z', link: { to: '/secrets' } },
          ],
        }),
      }),
    }),
    contribute(attentionSource, {
      create: (): AttentionSource => ({ kind: 'broken', capability: 'read', look: () => Promise.reject(new Error('broken')) }),
    }),
    contribute(attentionSource, {
      create: (): AttentionSource => ({ kind: 'hidden', capability: 'operator', look: async () => ({ count: 9, items: [] }) }),
    }),
  ],
  overview: [
    { order: 20, panel: Panel.table({ ...panel, id: 'late', title: 'Late', empty: 'None.', link: { to: '/books' } }) },
    { order: 10, panel: Panel.table({ ...panel, id: 'secrets', title: 'Secrets', from: secret, empty: 'None.' }) },
  ],
  pages: [
    definePage({
      path: '/books',
      title: 'Books',
      icon: 'book',
      group: 'knowledge',
      actions: [{ id: 'add', label: 'Add', tool: add, form: ['bookId'] }],
      panels: [
        Panel.table({ ...panel, id: 'books', title: 'Books', filters: ['kind', 'isLent'] }),
        Panel.table({ ...panel, id: 'secrets', title: 'Secrets', from: secret }),
        Panel.table({ ...panel, id: 'elsewhere', title: 'RemoteWatchers', from: 'room_list' }),
      ],
    }),
    definePage({
      path: '/books/:bookId',
      title: 'Book',
      icon: 'book',
      group: 'knowledge',
      actions: [
        { id: 'close', label: 'Close', tool: close },
        { id: 'visit', label: 'Visit', tool: visit, arguments: { shelfId: arg.param('bookId') }, form: ['as'] },
      ],
      panels: [Panel.table({ ...panel, id: 'one', title: 'One', empty: 'None.' })],
    }),
    definePage({
      path: '/secrets',
      title: 'Secrets',
      icon: 'lock',
      group: 'work',
      panels: [Panel.table({ ...panel, id: 'all', title: 'All', from: secret, empty: 'None.' })],
    }),
  ],
})

async function keyOf(gateway: TestGateway, role: 'viewer' | 'admin'): Promise<Record<string, string>> {
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' }).catch(() => undefined)
  const { apiKey } = await gateway.tenants.issueKey('acme', { role, environment: 'live' })
  return { 'x-api-key': apiKey }
}
const enforced = (): Promise<TestGateway> => startTestGateway({ plugins: [shelves], env: { RBAC_ENFORCE: 'true' } })
const pagesOf = async (gateway: TestGateway, headers: Record<string, string> = {}): Promise<DashboardView> =>
  (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages', headers })).json() as DashboardView
const find = (view: DashboardView, path: string) => view.pages.find((page) => page.path === path)

test('a caller gets the pages, panels and actions whose tools it may call, and no others', async () => {
  await using gateway = await enforced()
  const all = await pagesOf(gateway)
  assert.deepEqual(
    all.pages.map(({ path }) => path),
    ['/secrets', '/books/:bookId', '/books'],
  )
  assert.deepEqual(
    find(all, '/books')?.panels.map(({ id }) => id),
    ['books', 'secrets'],
    'what another plugin would answer is left out where it does not run',
  )
  const viewer = await pagesOf(gateway, await keyOf(gateway, 'viewer'))
  assert.deepEqual(
    viewer.pages.map(({ path }) => path),
    ['/books/:bookId', '/books'],
  )
  assert.deepEqual(viewer.groups, [{ id: 'knowledge', title: 'Knowledge' }], 'a group without a page is no group')
  const [books] = find(viewer, '/books')?.panels ?? []
  assert.deepEqual([find(viewer, '/books')?.actions, find(viewer, '/books')?.panels.length], [[], 1])
  assert.equal(books && 'next' in books, false, 'nobody is sent to an action that is not theirs')
  assert.deepEqual(viewer.caller.tenantId, 'acme')
  const admin = await pagesOf(gateway, await keyOf(gateway, 'admin'))
  assert.deepEqual(find(admin, '/books')?.actions[0], {
    id: 'add',
    label: 'Add',
    tone: 'neutral',
    effect: 'write',
    tool: 'book_add',
    method: 'POST',
    url: '/api/tools/book_add',
    arguments: {},
    form: { schema: { type: 'object', required: ['bookId'], properties: { bookId: { type: 'string' } }, additionalProperties: false } },
  })
  assert.notEqual(viewer.revision, admin.revision)
})

test('the overview has the panels of all plugins in order, as far as the caller may call their tools', async () => {
  await using gateway = await enforced()
  const idsOf = async (headers?: Record<string, string>) => (await pagesOf(gateway, headers)).overview.map(({ id }) => id)
  assert.deepEqual(await idsOf(), ['shelves-secrets', 'shelves-late'])
  const headers = await keyOf(gateway, 'viewer')
  assert.deepEqual(await idsOf(headers), ['shelves-late'])
  const [late] = (await pagesOf(gateway, headers)).overview
  assert.deepEqual(late && 'link' in late && late.link, { to: '/books', with: {} })
})

test('a panel says how its tool is called, and which collections make it stale, through services', async () => {
  await using gateway = await enforced()
  const [books] = find(await pagesOf(gateway), '/books')?.panels ?? []
  assert.deepEqual((books as Extract<PanelView, { kind: 'table' }>).source, {
    tool: 'book_list',
    method: 'POST',
    url: '/api/tools/book_list',
    arguments: {},
    live: ['shelves.books'],
  })
  assert.deepEqual((books as Extract<PanelView, { kind: 'table' }>).filters, [
    {
      argument: 'kind',
      label: 'Kind',
      kind: 'select',
      options: [
        { value: 'old', label: 'Old' },
        { value: 'new', label: 'New' },
      ],
      required: false,
    },
    { argument: 'isLent', label: 'Is lent', kind: 'toggle', required: false },
  ])
})

test('an action says that it takes the operator’s token, to the operator alone; and that a raw route reads no body', async () => {
  await using gateway = await enforced()
  const actionsFor = async (headers?: Record<string, string>) => find(await pagesOf(gateway, headers), '/books/:bookId')?.actions ?? []
  const [closing, visiting] = await actionsFor()
  assert.deepEqual([closing?.id, closing?.credential, closing?.inQuery], ['close', 'admin', undefined])
  assert.deepEqual([visiting?.url, visiting?.credential, visiting?.inQuery], ['/api/shelves/:shelfId', undefined, true])
  assert.deepEqual(
    (await actionsFor(await keyOf(gateway, 'admin'))).map(({ id }) => id),
    ['visit'],
  )
})

test('a page in the menu has no parameters', async () => {
  await using gateway = await enforced()
  const { pages } = await pagesOf(gateway)
  assert.deepEqual(Object.fromEntries(pages.map(({ path, menu }) => [path, menu])), {
    '/secrets': true,
    '/books/:bookId': false,
    '/books': true,
  })
})

test('pages that did not change are not sent again', async () => {
  await using gateway = await enforced()
  const url = '/api/dashboard/pages'
  const { etag } = (await gateway.inject({ method: 'GET', url })).headers
  const again = await gateway.inject({ method: 'GET', url, headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([again.status, again.body], [304, ''])
})

test('a caller whose name no header can carry gets its pages, too', async () => {
  await using gateway = await startTestGateway({ plugins: [shelves], env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme')
  for (const name of ['Zażółć', 'a "quoted" name\r\n']) {
    const answer = await gateway.inject({ method: 'GET', url: '/api/dashboard/pages', headers: userOf('acme', name) })
    assert.equal(answer.status, 200, answer.body)
  }
})

test('what waits is one queue, newest first, with one counter, and leads to the pages that the caller sees', async () => {
  await using gateway = await enforced()
  const admin = await keyOf(gateway, 'admin')
  const { body } = await gateway.inject({ method: 'GET', url: '/api/attention', headers: admin })
  const seen = JSON.parse(body) as AttentionView
  // The admin may add a book, and may not close the shelves.
  const [lend, ...more] = seen.actions.overdue ?? []
  assert.deepEqual([lend?.url, lend?.arguments, more], ['/api/tools/book_add', { bookId: { from: 'row', pointer: '/id' } }, []])
  assert.deepEqual(seen, {
    count: 3,
    more: false,
    items: [
      { id: 'b2', kind: 'overdue', title: 'Due in acme', tone: 'bad', at: '2026-01-02T00:00:00.000Z', count: 1 },
      {
        id: 'b1',
        kind: 'overdue',
        title: 'Due',
        tone: 'warn',
        at: '2026-01-01T00:00:00.000Z',
        count: 2,
        link: { path: '/books/b%2F1', query: { from: 'queue' } },
      },
    ],
    actions: { overdue: [lend] },
    failed: ['broken'],
  })
  const viewer = await gateway.inject({ method: 'GET', url: '/api/attention', headers: await keyOf(gateway, 'viewer') })
  assert.deepEqual(JSON.parse(viewer.body), { count: 0, more: false, items: [], actions: {}, failed: ['broken'] })
})
