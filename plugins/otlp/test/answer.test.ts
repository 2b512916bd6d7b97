import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer } from '../src/rules/answer.ts'

const NOW = Date.parse('2026-01-05T09:00:00Z')

test('a collector that asks for a pause gets it, as seconds or as a date, up to a minute', () => {
  const pause = (header?: string) => {
    const verdict = readAnswer(503, header === undefined ? {} : { 'retry-after': header }, Buffer.alloc(0), NOW)
    return verdict.is === 'retry' ? verdict.afterMs : verdict.is
  }
  assert.deepEqual(['7', 'Mon, 05 Jan 2026 09:00:20 GMT', '3600', 'soon', undefined].map(pause), [
    7_000,
    20_000,
    60_000,
    undefined,
    undefined,
  ])
})
