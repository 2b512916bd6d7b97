import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { catalogue, type Row } from './catalogue.ts'
import { rowFaults, toolFaults } from './catalogue-faults.ts'

test('the catalogue has every tool once, each with what search and the lists need', () => {
  assert.deepEqual(rowFaults(catalogue), [])
})

test('the row of each tool equals its definition: family, effect, list, description and arguments', () => {
  assert.deepEqual(toolFaults(standardPlugins, catalogue), [])
})

const closedInput = Type.Object({ room: Type.String() }, closed)
const row: Row = { name: 'shelf_list', family: 'shelves', effect: 'read', description: 'List the shelves. Returns all of them.', args: [] }

test('a fault of a row names the file, the row, the field, what was expected and what came', () => {
  assert.deepEqual(rowFaults([row, { ...row, effect: 'peek' as 'read' }]), [
    'test/catalogue/tools.json: row 1 (shelf_list): name must be there once; it is "shelf_list"',
    'test/catalogue/tools.json: row 1 (shelf_list): effect must be read or write or destructive; it is "peek"',
  ])
})

test('a tool that differs from its row is told with its file and the field', () => {
  const [first] = standardPlugins.filter(({ tools }) => tools.length > 0)
  const [tool] = first?.tools ?? []
  assert.ok(first && tool)
  const faults = toolFaults(
    [
      {
        ...first,
        id: 'shelves',
        tools: [{ ...tool, name: 'shelf_list', effect: 'write', listing: 'default', input: closedInput, description: 'List them.' }],
      },
    ],
    [row],
  )
  assert.deepEqual(faults, [
    'plugins/shelves/src/tools/shelf-list.ts: effect is write; the row of shelf_list in test/catalogue/tools.json says read',
    'plugins/shelves/src/tools/shelf-list.ts: description is List them.; the row of shelf_list in test/catalogue/tools.json says List the shelves. Returns all of them.',
    'plugins/shelves/src/tools/shelf-list.ts: args is room; the row of shelf_list in test/catalogue/tools.json says ',
  ])
  assert.deepEqual(toolFaults([{ ...first, id: 'shelves', tools: [{ ...tool, name: 'shelf_read' }] }], [row]), [
    'plugins/shelves/src/tools/shelf-read.ts: the tool shelf_read has no row in test/catalogue/tools.json',
  ])
})
