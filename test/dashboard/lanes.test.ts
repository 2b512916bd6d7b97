import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf } from '../../plugins/dashboard/app/panels/lanes.ts'

const commit = (key: string, parents: string, trunk = false) => ({ key, parents: parents.split('').filter(Boolean), trunk })

test('a branch has a lane from where it left the trunk until it is merged into it', () => {
  // The merge m has the parents c (on the trunk) and b, and both come from a.
  const rows = lanesOf([commit('m', 'cb', true), commit('b', 'a'), commit('c', 'a', true), commit('a', '', true)])
  assert.deepEqual(
    rows.map(({ lane }) => lane),
    [0, 1, 0, 0],
  )
  assert.deepEqual(rows[0], {
    lane: 0,
    upper: [],
    lower: [
      [0, 0],
      [0, 1],
    ],
    passing: [],
    continuesBelow: false,
  })
  assert.deepEqual(rows[1]?.passing, [0])
  assert.deepEqual(rows[3]?.upper, [
    [0, 0],
    [1, 0],
  ])
})

test('the trunk keeps the first lane when a branch is newer, and no line leads to it from above its newest commit', () => {
  const rows = lanesOf([commit('b', 'a'), commit('c', 'a', true), commit('a', '', true)])
  assert.deepEqual(
    rows.map(({ lane }) => lane),
    [1, 0, 0],
  )
  assert.deepEqual([rows[0]?.passing, rows[1]?.upper, rows[1]?.passing], [[], [], [1]])
})

test('no line leads to the newest commit of the trunk from above in its lane when a branch goes on from it', () => {
  const rows = lanesOf([commit('b', 'a'), commit('a', '', true)])
  assert.deepEqual([rows[0]?.lower, rows[0]?.passing, rows[1]?.upper], [[[1, 1]], [], [[1, 0]]])
})

test('a lane whose branch has ended is used again, and a line to a commit that is not shown goes on', () => {
  const rows = lanesOf([commit('d', 'c'), commit('e', 'c', true), commit('c', 'a', true), commit('f', 'a'), commit('a', 'x', true)])
  assert.deepEqual(
    rows.map(({ lane }) => lane),
    [1, 0, 0, 1, 0],
  )
  assert.deepEqual(
    rows.map(({ continuesBelow }) => continuesBelow),
    [false, false, false, false, true],
  )
})
