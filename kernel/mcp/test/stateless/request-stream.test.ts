import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestStream } from '../../src/stateless/request-stream.ts'
import { Memory } from './memory-stream.ts'

test('a client that does not keep up misses notifications, and gets its answer', () => {
  const stream = new Memory()
  const request = new RequestStream(() => stream)
  for (const [data, full] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    stream.full = full
    request.notify({ method: 'notifications/message', params: { level: 'info', data } })
  }
  stream.full = true
  assert.equal(request.finish('{"id":"answer"}'), true)
  assert.deepEqual(
    stream.sent.map(({ id, params }) => id ?? params.data),
    [1, 3, 'answer'],
  )
  assert.equal(stream.ended, true)
})
