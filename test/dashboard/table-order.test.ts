import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOrder, ordered, withWords } from '../../plugins/dashboard/app/panels/table-order.ts'

const columns = [
  { label: 'Name', value: '/name', format: 'text' },
  { label: 'Size', value: '/size', format: 'number' },
] as const
const rows = [{ name: 'b10', size: 2 }, { name: 'B2' }, { name: 'a', size: 10 }].map((value) => ({ value }))
const names = (order: Parameters<typeof ordered>[2]) => ordered(rows, columns, order).map(({ value }) => value.name)

test('rows are sorted by the values of a column, numbers as numbers, and those without a value last', () => {
  assert.deepEqual(names({ label: 'Name', down: false }), ['a', 'B2', 'b10'])
  assert.deepEqual(names({ label: 'Size', down: false }), ['b10', 'a', 'B2'])
  assert.deepEqual(names({ label: 'Size', down: true }), ['a', 'b10', 'B2'])
  assert.deepEqual(names(undefined), ['b10', 'B2', 'a'])
})

test('a column is sorted up, then down, then as the rows came', () => {
  const up = nextOrder(undefined, 'Name')
  const down = nextOrder(up, 'Name')
  assert.deepEqual([up, down, nextOrder(down, 'Name')], [{ label: 'Name', down: false }, { label: 'Name', down: true }, undefined])
})

test('words narrow rows down to those that have all of them in what is shown', () => {
  assert.deepEqual(
    withWords(rows, columns, ' 10  A ').map(({ value }) => value.name),
    ['a'],
  )
})
