import assert from 'node:assert/strict'
import { test } from 'node:test'
import { report } from './report.ts'
import type { Check } from './suite.ts'

const check = (status: Check['status'], errorMessage?: string): Check => ({
  id: `is-${status.toLowerCase()}`,
  description: 'What is checked.',
  status,
  ...(errorMessage !== undefined && { errorMessage }),
})

test('all green: one line', () => {
  const results = new Map([
    ['ping', [check('SUCCESS'), check('INFO')]],
    ['tools-list', [check('SUCCESS')]],
  ])
  assert.deepEqual(report('2025-11-25', results), {
    passed: true,
    lines: ['2025-11-25: scenarios 2, passed 2, failed 0, warned 0, skipped 0'],
  })
})

test('any failed check fails, and names scenario, check and message; warnings and skips are listed and do not', () => {
  const results = new Map([['ping', [check('WARNING'), check('FAILURE', 'no\nanswer'), check('SKIPPED', 'not here'), check('SUCCESS')]]])
  assert.deepEqual(report('2026-07-28', results), {
    passed: false,
    lines: [
      'FAILED   ping: is-failure: no answer',
      'warning  ping: is-warning: What is checked.',
      'skipped  ping: is-skipped: not here',
      '2026-07-28: scenarios 1, passed 1, failed 1, warned 1, skipped 1',
    ],
  })
})

test('a scenario that broke off, or checked nothing, fails', () => {
  const { passed, lines } = report(
    '2026-07-28',
    new Map([
      ['ping', undefined],
      ['tools-list', []],
    ]),
  )
  assert.equal(passed, false)
  assert.deepEqual(lines.slice(0, 2), ['FAILED   ping: it came to no result', 'FAILED   tools-list: it came to no result'])
})
