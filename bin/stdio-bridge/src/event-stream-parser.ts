export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** Limit for data that cannot be a message, so that it is not collected without end. */
const MAX_CHARACTERS = 67_108_864
const LINE_END = /\r\n|\r|\n/g

/** Reads server-sent events according to the HTML standard, in pieces of any size. */
export class EventStreamParser {
  /** Identifies this position in the stream, for a reader that resumes; empty if the server named none. */
  lastEventId = ''
  /** Time the server wants a client to wait before it reconnects. */
  retryMs: number | undefined
  readonly #decoder = new TextDecoder()
  #line = ''
  #data: string[] = []
  #characters = 0
  #id: string | undefined
  #afterReturn = false

  /** Returns the data of the events that end in this piece; those without data only name a position. Throws TooLong. */
  push(piece: Uint8Array): readonly string[] {
    const text = this.#withoutHalfLineEnd(this.#decoder.decode(piece, { stream: true }))
    const events: string[] = []
    let start = 0
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      const data = this.#take(this.#line + text.slice(start, index))
      if (data) events.push(data)
      this.#line = ''
      start = index + end.length
    }
    this.#line += text.slice(start)
    if (this.#line.length + this.#characters > MAX_CHARACTERS) throw new TooLong(`an event is longer than ${MAX_CHARACTERS} characters`)
    return events
  }

  /** A return at the end of one piece and a newline at the start of the next are one line end. */
  #withoutHalfLineEnd(text: string): string {
    if (text === '') return text
    const rest = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#afterReturn = text.endsWith('\r')
    return rest
  }

  #take(line: string): string | undefined {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1)
    if (field === 'data') {
      this.#data.push(value)
      this.#characters += value.length + 1
    } else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
    return undefined
  }

  #dispatch(): string {
    this.lastEventId = this.#id ?? this.lastEventId
    const data = this.#data.join('\n')
    this.#data = []
    this.#characters = 0
    return data
  }
}
