import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { lines } from '../src/lines.ts'

async function read(pieces: readonly Buffer[], limit = 100): Promise<(string | undefined)[]> {
  const all: (string | undefined)[] = []
  for await (const line of lines(Readable.from(pieces), limit)) all.push(line?.toString())
  return all
}
const whole = (text: string, limit?: number) => read([Buffer.from(text)], limit)

test('each line comes without its end, the last one also without a newline', async () => {
  assert.deepEqual(await whole('one\ntwo\r\n\nthree'), ['one', 'two', '', 'three'])
  assert.deepEqual(await whole(''), [])
  assert.deepEqual(await whole('one\n'), ['one'])
})

test('a byte order mark before the first line is left out', async () => {
  assert.deepEqual(await whole('\ufeffone\n\ufefftwo'), ['one', '\ufefftwo'])
  assert.deepEqual(await read([Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x7b, 0x7d, 0x0a])]), ['{}'])
  assert.deepEqual(await whole('\ufeff'), [''])
})

test('a line over the limit comes as nothing, those around it as they are', async () => {
  assert.deepEqual(await whole('12345\n123456\n12345', 5), ['12345', undefined, '12345'])
  assert.deepEqual(await whole('123456', 5), [undefined])
})

test('however the bytes are cut, the lines are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 12 })), fc.array(fc.nat(), { maxLength: 20 }), async (texts, cuts) => {
      const bytes = Buffer.from(texts.join('\n'))
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const pieces = places.slice(1).map((end, n) => bytes.subarray(places[n], end))
      assert.deepEqual(await read(pieces, 10), await read([bytes], 10))
    }),
  )
})
