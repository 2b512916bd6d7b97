import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arg, definePage, defineTool, Panel, Type, valueAt } from '@gateway/sdk'
import { closed } from '../src/index.ts'

const list = defineTool({
  name: 'shelf_list',
  description: 'Lists the shelves.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({
    shelves: Type.Array(Type.Object({ shelfId: Type.String(), place: Type.Object({ room: Type.String() }) })),
    nextCursor: Type.Optional(Type.String()),
  }),
  handle: async () => ({ shelves: [] }),
})
const shared = { id: 'shelves', title: 'Shelves', empty: 'None.' } as const

test('pointers are typed from what the tool answers: a misspelt one does not compile', () => {
  const panel = Panel.table({ ...shared, from: list, rows: '/shelves', key: '/shelfId', columns: { Room: '/place/room' } })
  assert.deepEqual(panel, { kind: 'table', ...shared, from: list, rows: '/shelves', key: '/shelfId', columns: { Room: '/place/room' } })
  // @ts-expect-error the answer has no shelf
  Panel.table({ ...shared, from: list, rows: '/shelf', key: '/shelfId', columns: {} })
  // @ts-expect-error a shelf has no id
  Panel.table({ ...shared, from: list, rows: '/shelves', key: '/id', columns: {} })
  // @ts-expect-error nor a name
  Panel.table({ ...shared, from: list, rows: '/shelves', key: '/shelfId', columns: { Name: '/name' } })
  Panel.table({
    ...shared,
    from: list,
    rows: '/shelves',
    key: '/shelfId',
    columns: {},
    // @ts-expect-error nor can one be linked by it
    open: { to: '/shelves/:id', with: { id: arg.row('/name') } },
  })
  Panel.table({ ...shared, from: 'shelf_list', rows: '/anything', key: '/at', columns: { All: '/goes' } })
})

test('a member that a panel or a page has not is refused, and told which it has', () => {
  const spec = { ...shared, from: list, items: { Cursor: '/nextCursor' }, rows: '/shelves' } as const
  assert.throws(() => Panel.stats(spec as never), /panel shelves: rows is none of its members, which are id, title, .*items$/)
  assert.throws(() => definePage({ path: '/shelves', name: 'Shelves' } as never), /page \/shelves: name is none of its members/)
})

test('a pointer leads to what stands there, and nowhere through what is inherited', () => {
  const value = { a: [{ 'b/c': { '~': 1 } }] }
  assert.equal(valueAt(value, '/a/0/b~1c/~0'), 1)
  assert.equal(valueAt(value, ''), value)
  assert.deepEqual(
    [valueAt(value, '/a/length/x'), valueAt(value, '/constructor'), valueAt(undefined, '/a')],
    [undefined, undefined, undefined],
  )
})
