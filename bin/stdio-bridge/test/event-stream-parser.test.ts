import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventStreamParser, TooLong } from '../src/event-stream-parser.ts'

const whole = (text: string) => read([Buffer.from(text)])

function read(pieces: readonly Uint8Array[]) {
  const parser = new EventStreamParser()
  const events = pieces.flatMap((piece) => parser.push(piece))
  return { events, lastEventId: parser.lastEventId, retryMs: parser.retryMs }
}

test('an event is its data lines; comments, names and unknown fields are passed over', () => {
  assert.deepEqual(whole(': hello\nevent: message\ndata: {"a":1}\nwhat: ever\n\n').events, ['{"a":1}'])
  assert.deepEqual(whole('data: one\ndata:two\ndata:  three\n\ndata\n\n').events, ['one\ntwo\n three'])
  assert.deepEqual(whole('data: no end yet\n').events, [])
})

test('ids and retry times are kept, also those of events without data', () => {
  assert.deepEqual(whole('id: a_1\nretry: 250\ndata: \n\n'), { events: [], lastEventId: 'a_1', retryMs: 250 })
  assert.deepEqual(whole('id: 1\ndata: x\n\ndata: y\n\n').lastEventId, '1')
  assert.deepEqual(whole('id: 1\n\nid: bad\0\nretry: soon\n\n'), { events: [], lastEventId: '1', retryMs: undefined })
  assert.equal(whole('id: 1\n\nid\n\n').lastEventId, '', 'an empty id forgets the place')
  assert.equal(whole('id: 1\n\nid: 2\n').lastEventId, '1', 'an event that was cut off has not come')
})

const field = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, ' ')}`),
  fc.constantFrom(': comment', 'event: message', 'id: 7_3', 'retry: 10', 'data', '', '', 'data: ☕ naïve 🎉'),
)
const stream = fc.array(fc.tuple(field, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 }).map((lines) => lines.flat().join(''))

test('however the bytes are cut, the events are the same', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 40 }), (text, cuts) => {
      const bytes = Buffer.from(text)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const pieces = places.slice(1).map((end, n) => bytes.subarray(places[n], end))
      assert.deepEqual(read(pieces), whole(text))
    }),
    { numRuns: 300 },
  )
})

test('the kind of line end makes no difference', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 20 }), (lines) => {
      const [first, ...others] = ['\n', '\r\n', '\r'].map((end) =>
        whole(lines.map((line) => line.replaceAll(/[\r\n]/g, ' ') + end).join('')),
      )
      for (const other of others) assert.deepEqual(other, first)
    }),
  )
})

test('an event without end is given up rather than kept', () => {
  const parser = new EventStreamParser()
  const piece = Buffer.alloc(8 * 2 ** 20, 'x')
  parser.push(Buffer.from('data: '))
  assert.throws(() => {
    for (let n = 0; n < 10; n++) parser.push(piece)
  }, TooLong)
})
