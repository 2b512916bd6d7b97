import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cohortOf } from '../src/rules/cohort.ts'

test('weeks are those of ISO 8601, which may belong to another year than their days', () => {
  const weeks = ['2026-01-01', '2027-01-01', '2024-12-30', '2026-11-23', '2023-01-01'].map((day) =>
    cohortOf(`${day}T12:00:00.000Z`, 'week'),
  )
  assert.deepEqual(weeks, ['2026-W01', '2026-W53', '2025-W01', '2026-W48', '2022-W52'])
  assert.equal(cohortOf('2026-11-23T12:00:00.000Z', 'month'), '2026-11')
})
