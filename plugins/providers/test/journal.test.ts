import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Journal } from '../src/operations/journal.ts'

test('the last decisions and dropped hops of a tenant that has ended are forgotten', () => {
  const journal = new Journal()
  const hop = { at: '2026-01-01T00:00:00.000Z', provider: 'api', model: 'm', reason: 'HTTP 500' } as const
  for (const tenantId of ['acme', 'bolt', 'acme']) journal.droppedHops.add(tenantId, hop)
  journal.forget('acme')
  assert.deepEqual([journal.droppedHops.recent('acme').length, journal.droppedHops.recent(undefined).length], [0, 1])
})
