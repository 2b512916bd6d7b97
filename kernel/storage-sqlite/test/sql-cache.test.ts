import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shapeOf } from '../src/shape.ts'
import { SqlCache } from '../src/sql-cache.ts'

const shape = (cache: SqlCache, where: object) => shapeOf(cache.root, where, 0)?.shape

test('filters of one shape share a statement, whatever their values', () => {
  const cache = new SqlCache()
  assert.equal(shape(cache, { repo: 'a', tries: { gt: 1, lte: 5 } }), shape(cache, { repo: { eq: 'b' }, tries: { gt: 2, lte: 3 } }))
  assert.deepEqual(shape(cache, { repo: 'a', tries: { gt: 1 } })?.parts, ['repo', 'eq', 'tries', 'gt number'])
})

test('filters of different shapes do not', () => {
  const wheres = [{}, { a: 'x' }, { a: 1 }, { a: { gt: 'x' } }, { a: { gt: 1 } }, { b: 'x' }, { a: 'x', b: 'x' }, { b: 'x', a: 'x' }]
  const cache = new SqlCache()
  assert.equal(new Set(wheres.map((where) => shape(cache, where))).size, wheres.length)
})

test('names without end do not fill the memory', () => {
  const cache = new SqlCache()
  let most = 0
  for (let n = 0; n < 20_000; n++) {
    shape(cache, { [`field${n}`]: 'x' })
    most = Math.max(most, cache.root.size)
  }
  assert.ok(most < 6_000, `${most} nodes`)
})
