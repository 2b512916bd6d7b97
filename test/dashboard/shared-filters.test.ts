import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FilterView, PanelView } from '@gateway/sdk'
import { isAmong, ownFilters, sharedFilters } from '../../plugins/dashboard/app/shared-filters.ts'

const filter = (argument: string, more: object = {}) =>
  ({ argument, label: argument, kind: 'text', required: false, ...more }) as FilterView
const panel = (id: string, ...filters: FilterView[]) => ({ kind: 'table', id, filters }) as unknown as PanelView

test('filters that several panels have alike are shown once, and each panel keeps its own', () => {
  const queue = panel('queue', filter('q'), filter('repo'), filter('priority'))
  const board = panel('board', filter('repo'), filter('priority'))
  const stats = panel('stats')
  const shared = sharedFilters([stats, queue, board])
  assert.deepEqual(
    shared.map(({ argument }) => argument),
    ['repo', 'priority'],
  )
  assert.deepEqual(
    [stats, queue, board].map((one) => [isAmong(shared, one), ownFilters(shared, one).map(({ argument }) => argument)]),
    [
      [false, []],
      [true, ['q']],
      [true, []],
    ],
  )
})

test('filters of one argument that begin with different values stay with their panels', () => {
  const log = panel('log', filter('ref', { initial: 'HEAD' }))
  const branches = panel('branches', filter('ref'))
  assert.deepEqual(sharedFilters([log, branches]), [])
  assert.deepEqual(ownFilters([], log).length, 1)
})
