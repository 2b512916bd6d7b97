import { defined } from '@gateway/sdk'
import { createParser } from 'eventsource-parser'
import type { ServerSentEvent } from '../api.ts'

/** A line or an event that does not end within its limit. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** Lines of a text that arrives in parts, without their ends. Text after the last end is a line unless it is empty. */
export async function* linesOf(parts: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  // Kept in pieces, because joining them at each part would copy a long line over and over.
  let pieces: string[] = []
  let length = 0
  const add = (text: string): void => {
    length += text.length
    if (length > maxLength) throw new TooLong(`a line of more than ${maxLength} characters`)
    if (text !== '') pieces.push(text)
  }
  const take = (): string => {
    const line = pieces.join('')
    pieces = []
    length = 0
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
  for await (const part of parts) {
    const text = decoder.decode(part, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      add(text.slice(from, end))
      yield take()
      from = end + 1
    }
    add(text.slice(from))
  }
  add(decoder.decode())
  if (length > 0) yield take()
}

/** The events of a `text/event-stream`. An event without its final empty line is dropped. */
export async function* eventsOf(parts: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder()
  let read: ServerSentEvent[] = []
  let tooLong = false
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ event, data, id }) => read.push({ data, ...defined({ event, id }) }),
    onError: ({ type }) => void (tooLong ||= type === 'max-buffer-size-exceeded'),
  })
  for await (const part of parts) {
    parser.feed(decoder.decode(part, { stream: true }))
    const events = read
    read = []
    yield* events
    if (tooLong) throw new TooLong(`an event of more than ${maxLength} characters`)
  }
}
