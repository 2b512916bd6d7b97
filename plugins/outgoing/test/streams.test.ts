import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { eventsOf, linesOf } from '../src/rules/text.ts'
import { outgoing, refusal, server, until } from './support.ts'

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (let i = 0; from < bytes.length; i++) {
    const size = Math.max(1, sizes[i % Math.max(sizes.length, 1)] ?? bytes.length)
    yield bytes.subarray(from, from + size)
    from += size
  }
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 })
const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', ':', '"'), maxLength: 8 })

test('lines are the same however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), sizes, async (lines, end, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}${end}`).join(''))
      assert.deepEqual(await all(linesOf(cut(bytes, sizes), 100)), lines)
    }),
    { numRuns: 200 },
  )
  assert.deepEqual(await all(linesOf(cut(Buffer.from('a\n\nb'), [1]), 10)), ['a', '', 'b'])
})

test('events are the same however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }), sizes, async (texts, sizes) => {
      const bytes = Buffer.from(texts.map((text, i) => `: keep alive\nevent: e${i}\ndata: ${text}\ndata: x\n\n`).join(''))
      assert.deepEqual(
        await all(eventsOf(cut(bytes, sizes), 100)),
        texts.map((text, i) => ({ event: `e${i}`, data: `${text}\nx` })),
      )
    }),
    { numRuns: 200 },
  )
})

describe('an answer that is read as it comes', () => {
  test('gives each event when it is sent, and its reader may stop at any', async () => {
    const responses: ServerResponse[] = []
    await using remote = await server((_request, response) => {
      responses.push(response.writeHead(200, { 'content-type': 'text/event-stream' }))
      response.write('data: 1\n\n')
    })
    await using out = outgoing()
    const answer = await out.open(remote.url)
    const seen: string[] = []
    for await (const { data } of answer.events()) {
      seen.push(data)
      if (data === '3') break
      responses[0]?.write(`data: ${Number(data) + 1}\n\n`)
    }
    assert.deepEqual(seen, ['1', '2', '3'])
    await until(() => remote.connections().busy === 0)
  })

  test('may be compressed', async () => {
    await using remote = await server((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}\n{"b":2}\n'))
    })
    await using out = outgoing()
    const answer = await out.open(remote.url, { decompress: true })
    assert.deepEqual(await all(answer.lines()), ['{"a":1}', '{"b":2}'])
  })

  test('makes its sender wait for its reader', async () => {
    let written = 0
    let ended = false
    await using remote = await server((_request, response) => {
      const more = (): void => {
        while (written < 64_000_000 && !response.destroyed) {
          written += 64_000
          if (!response.write(Buffer.alloc(64_000))) return void response.once('drain', more)
        }
        ended = true
        response.end()
      }
      more()
    })
    await using out = outgoing()
    const parts = (await out.open(remote.url, { maxResponseBytes: 100_000_000 })).parts()
    await parts.next()
    // Waits while anything still moves: the buffers of the two sockets keep data on the way.
    for (let before = -1; before !== written; ) {
      before = written
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.equal(ended, false, `${written} bytes were taken from the sender while nobody read`)
    let bytes = 0
    for await (const part of parts) bytes += part.length
    assert.ok(ended && bytes > 60_000_000)
  })

  test('fails where a line or an event does not end within its limit', async () => {
    await using remote = await server((_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write('data: '.padEnd(1_000, 'x')));
      }
      response.on('drain', more)
      more()
    })
    await using out = outgoing()
    const tooLarge = refusal('OUTGOING_FAILED', { reason: 'too_large' })
    await assert.rejects(all((await out.open(remote.url)).lines({ maxLength: 10_000 })), tooLarge)
    await assert.rejects(all((await out.open(remote.url)).events({ maxLength: 10_000 })), tooLarge)
    await until(() => remote.connections().busy === 0)
  })

  test('is let go with cancel, and its share with it', async () => {
    await using remote = await server((_request, response) => void response.writeHead(200).write('a'))
    await using out = outgoing({ callsPerTenant: 1 })
    const answer = await out.open(remote.url)
    await assert.rejects(out.open(remote.url), refusal('OUTGOING_BUSY', { reason: 'tenant' }))
    answer.cancel()
    ;(await out.open(remote.url)).cancel()
    await until(() => remote.connections().busy === 0)
  })
})
