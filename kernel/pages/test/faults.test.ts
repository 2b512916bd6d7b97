import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFaults } from '@gateway/pages'
import {
  type Action,
  arg,
  closed,
  type DashboardPage,
  definePage,
  definePlugin,
  defineRawRoute,
  defineTool,
  Panel,
  type Plugin,
  Type,
} from '@gateway/sdk'

const Shelf = Type.Object({ shelfId: Type.String(), name: Type.String(), books: Type.Integer(), state: Type.Enum(['open', 'full']) })
const list = defineTool({
  name: 'shelf_list',
  description: 'Lists the shelves.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      room: Type.Optional(Type.String()),
      state: Type.Optional(Type.Enum(['open', 'full'])),
      limit: Type.Optional(Type.Integer()),
      cursor: Type.Optional(Type.String()),
    },
    closed,
  ),
  output: Type.Object({ shelves: Type.Array(Shelf), byRoom: Type.Record(Type.String(), Shelf), nextCursor: Type.Optional(Type.String()) }),
  handle: async () => ({ shelves: [], byRoom: {} }),
})
const get = defineTool({
  name: 'shelf_get',
  description: 'Gives a shelf.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ shelfId: Type.String() }, closed),
  output: Type.Object({ shelf: Type.Union([Shelf, Type.Null()]) }),
  handle: async () => ({ shelf: null }),
})
const remove = defineTool({
  name: 'shelf_remove',
  description: 'Removes a shelf.',
  capability: 'work',
  effect: 'destructive',
  input: Type.Object({ shelfId: Type.String(), reason: Type.Optional(Type.String()) }, closed),
  output: Type.Object({ trashId: Type.String() }),
  handle: async () => ({ trashId: 'trash-1' }),
})
const restore = defineTool({
  name: 'shelf_restore',
  description: 'Brings a shelf back.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ trashId: Type.String() }, closed),
  output: Type.Object({}),
  handle: async () => ({}),
})

const plugin = (pages: readonly DashboardPage[], id = 'shelves'): Plugin =>
  definePlugin({
    id,
    sdk: '^1.0.0',
    description: 'Shelves.',
    ...(id === 'shelves' && { tools: [list, get, remove, restore] }),
    pages,
  })
const page = (over: Partial<DashboardPage> = {}): DashboardPage =>
  ({ ...definePage({ path: '/shelves', title: 'Shelves', icon: 'library', group: 'work', panels: [table()] }), ...over }) as DashboardPage
const table = (over: object = {}): Panel => ({
  ...Panel.table({
    id: 'shelves',
    title: 'Shelves',
    from: list,
    rows: '/shelves',
    key: '/shelfId',
    columns: { Name: '/name' },
    empty: 'None.',
  }),
  ...over,
})
const removing: Action = {
  id: 'remove',
  label: 'Remove',
  tool: remove,
  arguments: { shelfId: arg.row('/shelfId' as never) },
  confirm: { object: arg.row('/name' as never), text: 'It is gone for good.', typed: true },
}
const faultsOf = (...pages: DashboardPage[]): string[] => pageFaults([plugin(pages)]).map(({ what }) => what)
const panelFault = (over: object): string => {
  const found = faultsOf(page({ panels: [table(over)] }))
  assert.equal(found.length, 1, found.join('\n'))
  return found[0] as string
}

test('a page whose pointers lead somewhere has no fault', () => {
  const whole = page({
    panels: [
      table({
        arguments: { limit: 10 },
        filters: ['room', 'state'],
        paging: { cursor: 'cursor', next: '/nextCursor' },
        actions: [removing],
      }),
      Panel.detail({
        id: 'one',
        title: 'One',
        from: get,
        arguments: { shelfId: 'a' },
        record: '/shelf',
        fields: { Name: '/name' },
        empty: 'None.',
      }),
      Panel.series({
        id: 'by-room',
        title: 'By room',
        from: list,
        rows: '/byRoom',
        x: '/$key',
        lines: { Books: '/books' },
        empty: 'None.',
      }),
    ],
  })
  assert.deepEqual(faultsOf(whole), [])
})

test('a pointer that leads nowhere is told what is there', () => {
  assert.match(
    panelFault({ columns: { Title: '/title' } }),
    /^page \/shelves: panel shelves: Title: \/title leads nowhere; there are shelfId, name, books, state$/,
  )
  assert.match(panelFault({ key: '/id' }), /key: \/id leads nowhere/)
  assert.match(panelFault({ paging: { cursor: 'cursor', next: '/next' } }), /the next cursor: \/next leads nowhere/)
})

test('the number that a value is measured against, and the one at which its counting stopped, are there', () => {
  for (const name of ['limit', 'stopsAt']) {
    const counted = (where: string | number) => panelFault({ columns: { Books: { value: '/books', [name]: where } } })
    assert.match(counted('/most'), new RegExp(`Books ${name}: /most leads nowhere`))
  }
  assert.deepEqual(faultsOf(page({ panels: [table({ columns: { Books: { value: '/books', stopsAt: 10 } } })] })), [])
})

test('rows that are no list are a fault', () =>
  assert.match(panelFault({ rows: '/nextCursor', key: '', columns: {} }), /rows: \/nextCursor leads to no list/))

test('an argument that the tool does not take is a fault, as is a value that does not fit', () => {
  assert.match(panelFault({ arguments: { house: 'a' } }), /shelf_list has no argument house; it has room, state, limit, cursor/)
  assert.match(panelFault({ arguments: { limit: 'ten' } }), /argument limit: it takes integer; got string/)
  assert.match(panelFault({ arguments: { state: 'lost' } }), /argument state: it is one of open, full; got "lost"/)
  assert.match(panelFault({ arguments: { room: arg.param('room') } }), /:room is no parameter of the page’s path/)
  assert.match(panelFault({ filters: ['colour'] }), /it filters by colour, which shelf_list does not take/)
  assert.match(panelFault({ paging: { cursor: 'after', next: '/nextCursor' } }), /takes no after for the cursor/)
})

test('what a tool needs and is not given is a fault', () => {
  const found = faultsOf(
    page({ panels: [Panel.detail({ id: 'one', title: 'One', from: get, record: '/shelf', fields: {}, empty: 'None.' })] }),
  )
  assert.deepEqual(found, ['page /shelves: panel one: shelf_get needs shelfId, which it is not given'])
})

test('what is destructive asks first, and names what goes', () => {
  const { confirm, ...unasked } = removing
  assert.ok(confirm)
  assert.match(panelFault({ actions: [unasked] }), /action remove: shelf_remove is destructive: a confirm must name what goes/)
  const named = { ...removing, confirm: { ...confirm, object: arg.row('/title' as never) } }
  assert.match(panelFault({ actions: [named] }), /its confirm: \/title leads nowhere/)
  assert.match(panelFault({ actions: [{ ...removing, arguments: {} }] }), /shelf_remove needs shelfId, which it is not given/)
  assert.match(
    panelFault({ actions: [{ ...removing, arguments: { shelfId: arg.row('/books' as never) } }] }),
    /it takes string; got integer/,
  )
})

test('what takes an action back is given all it needs, out of the answer of what was done', () => {
  const undone = (undo: object): string[] => faultsOf(page({ panels: [table({ actions: [{ ...removing, undo }] })] }))
  assert.deepEqual(undone({ tool: restore, arguments: { trashId: arg.row('/trashId' as never) } }), [])
  assert.deepEqual(undone({ tool: 'restore_of_another' }), [])
  assert.match(undone({ tool: restore }).join(), /action remove: its undo: shelf_restore needs trashId, which it is not given/)
  assert.match(
    undone({ tool: restore, arguments: { trashId: arg.row('/shelfId' as never) } }).join(),
    /its undo: .*\/shelfId leads nowhere/,
  )
  assert.match(undone({ tool: restore, arguments: { trashId: arg.asked('Which?') } }).join(), /its undo: /)
  const before = (pointer: string): string[] => undone({ tool: restore, arguments: { trashId: arg.before(pointer) } })
  assert.deepEqual(before('/shelfId'), [])
  assert.match(before('/trashId').join(), /its undo: argument trashId: \/trashId leads nowhere/)
  assert.match(before('/books').join(), /its undo: argument trashId: it takes string; got/)
  const rarely = { tool: restore, arguments: { trashId: arg.before('/name') }, when: { pointer: '/nowhere', in: ['open'] } }
  assert.match(undone(rarely).join(), /its undo: its when: \/nowhere leads nowhere/)
  const outside = { ...removing, undo: { tool: restore, arguments: { trashId: arg.before('/name') } } }
  assert.match(
    faultsOf(
      page({ actions: [{ ...outside, arguments: { shelfId: 'one' }, confirm: { object: arg.value('one'), text: 'It goes.' } }] }),
    ).join(),
    /the row as it was is known to the undo of a row’s action alone/,
  )
})

test('a panel shows what is only read', () => {
  assert.match(panelFault({ from: remove, rows: undefined, key: undefined, columns: {} }), /shelf_remove, which does not only read/)
})

test('a panel says what it is when there is nothing, and its next step is there', () => {
  assert.match(panelFault({ empty: '' }), /does not say what it is when there is nothing/)
  assert.match(panelFault({ empty: { text: 'None.', action: 'new' } }), /its next step is the action new, which the page has not/)
})

test('a link has what its page needs, and its page is there', () => {
  const one = { ...page(), path: '/shelves/:shelfId' }
  const open = (link: object): string[] => faultsOf(page({ panels: [table({ open: link })] }), one)
  assert.deepEqual(open({ to: '/shelves/:shelfId', with: { shelfId: arg.row('/shelfId') } }), [])
  assert.match(open({ to: '/shelves/:shelfId' })[0] ?? '', /has nothing for :shelfId/)
  assert.match(open({ to: '/shelves/new' })[0] ?? '', /leads to no page of this plugin/)
  assert.deepEqual(open({ to: '/rooms' }), [], 'a page of another plugin may be switched off')
})

test('two pages of one shape are a fault that names who has the path', () => {
  const one = { ...page(), path: '/shelves/:shelfId' }
  const other = { ...page({ panels: [table({ from: 'shelf_list' })] }), path: '/shelves/:id' }
  assert.deepEqual(pageFaults([plugin([one]), plugin([other], 'rooms')]), [
    { plugin: 'rooms', what: "page /shelves/:id: the path is taken by plugin 'shelves'" },
  ])
})

test('a tool of another plugin is meant by its name, and may be missing', () => {
  const others = page({ panels: [table()] })
  assert.match(pageFaults([plugin([]), plugin([others], 'rooms')])[0]?.what ?? '', /shelf_list of another plugin; give its name as a text/)
  assert.deepEqual(pageFaults([plugin([page({ panels: [table({ from: 'room_list' })] })], 'rooms')]), [])
})

test('every fault of every page is told at once', () => {
  const bad = page({
    icon: 'Big Icon',
    group: 'play' as never,
    title: ' ',
    path: 'shelves',
    panels: [table({ key: '/id', columns: { A: '/a', B: '/b' } })],
  })
  assert.equal(faultsOf(bad).length, 7)
})

test('an action may call a raw route, but for one with a credential of its own; a panel asks none', () => {
  const raw = (name: string, credential: 'caller' | 'own') =>
    defineRawRoute({
      name,
      description: 'Opens it.',
      capability: 'read',
      effect: 'write',
      rest: `POST /api/${name}/:owner`,
      idleMs: 1_000,
      credential,
      input: Type.Object({ owner: Type.String() }, closed),
      handle: async () => {},
    })
  const [door, gate] = [raw('door', 'caller'), raw('gate', 'own')]
  const of = (name: string, over: object) =>
    pageFaults([
      definePlugin({
        id: 'shelves',
        sdk: '^1.0.0',
        description: 'Shelves.',
        tools: [list, get, remove],
        routes: [door, gate],
        pages: [page({ panels: [table(over)] })],
      }),
    ]).map(({ what }) => what.slice(what.indexOf(name)))
  const open = (tool: typeof door) => ({ actions: [{ id: 'open', label: 'Open', tool, arguments: { owner: arg.row('/shelfId') } }] })
  assert.deepEqual(of('door', open(door)), [])
  assert.deepEqual(of('gate', open(gate)), ['gate, which is a raw route with a credential of its own'])
  assert.deepEqual(of('door', { from: door }), ['door, which is a raw route'])
})

test('a panel of the overview is checked like one of a page, and its fault names the overview', () => {
  const faults = (over: object) =>
    pageFaults([
      definePlugin({ id: 'shelves', sdk: '^1.0.0', description: 'Shelves.', tools: [list], overview: [{ order: 1, panel: table(over) }] }),
    ]).map(({ what }) => what)
  assert.deepEqual(faults({}), [])
  assert.match(faults({ key: '/id' }).join(), /^overview: panel shelves-shelves: key: \/id leads nowhere/)
  assert.match(faults({ columns: { Name: { value: '/name', limit: '/most' } } }).join(), /Name limit: \/most leads nowhere/)
  assert.match(faults({ arguments: { room: arg.param('room') } }).join(), /:room is no parameter/)
})

test('a heading needs a path with one parameter, which names the record', () => {
  const headed = (path: string): string[] => faultsOf(page({ path, heading: { titleOf: 'shelf' } }))
  for (const path of ['/shelves', '/shelves/:room/:shelfId']) assert.match(headed(path).join(), /a heading needs a path with one parameter/)
  assert.deepEqual(headed('/shelves/:shelfId'), faultsOf(page({ path: '/shelves/:shelfId' })))
})

test('a plugin that takes the name of another one’s tool brings no faults to the pages of that one', () => {
  const shelves = definePlugin({ id: 'shelves', sdk: '^1.0.0', description: 'Shelves.', tools: [list, get, remove], pages: [page()] })
  const taken = defineTool({
    name: list.name,
    description: 'Lists something else.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ others: Type.Array(Type.String()) }),
    handle: async () => ({ others: [] }),
  })
  const other = definePlugin({ id: 'other', sdk: '^1.0.0', description: 'Others.', tools: [taken] })
  assert.deepEqual(pageFaults([shelves, other]), [])
})
