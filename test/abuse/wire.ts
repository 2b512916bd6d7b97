import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A raw answer. `body` is parsed JSON, or `undefined` when it is not JSON. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any
}

/**
 * Returns a request exactly as given, with its errors uncorrected. Each character is one byte (latin1), so that text
 * can also hold bytes that are not UTF-8.
 */
export function raw(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { host: '127.0.0.1', ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** A raw connection that reads answers as they arrive. */
export class Wire {
  readonly socket: Socket
  readonly closed: Promise<unknown>
  #unread: Buffer = Buffer.alloc(0)
  #answers: Answer[] = []
  #wake: () => void = () => undefined
  #ended = false

  private constructor(socket: Socket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('close', () => {
      this.#ended = true
      this.#wake()
    })
  }

  static async open(url: string, { allowHalfOpen = false } = {}): Promise<Wire> {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen })
    await once(socket, 'connect')
    return new Wire(socket)
  }

  send(bytes: string): void {
    this.socket.write(bytes, 'latin1')
  }

  /** Returns the next answers; fewer than `count` when the peer closes the connection before. */
  async answers(count: number): Promise<readonly Answer[]> {
    while (this.#answers.length < count && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#answers.splice(0, count)
  }

  close(): void {
    this.socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    for (let next = cut(this.#unread); next; next = cut(this.#unread)) {
      this.#answers.push(next.answer)
      this.#unread = this.#unread.subarray(next.bytes)
    }
    this.#wake()
  }
}

function cut(bytes: Buffer): { answer: Answer; bytes: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  if (/^transfer-encoding: chunked/im.test(head)) return cutChunks(head, bytes, headEnd + 4)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  const end = headEnd + 4 + length
  if (bytes.length < end) return undefined
  return { answer: new ParsedLater(head, bytes.subarray(headEnd + 4, end)), bytes: end }
}

function cutChunks(head: string, bytes: Buffer, start: number): { answer: Answer; bytes: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + length + 2
    if (bytes.length < end) return undefined
    if (length === 0) return { answer: new ParsedLater(head, Buffer.concat(chunks)), bytes: end }
    chunks.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}

/** Parses on demand, because a flood of answers is checked by status alone. */
class ParsedLater implements Answer {
  readonly head: string
  readonly #body: Buffer

  constructor(head: string, body: Buffer) {
    this.head = head
    this.#body = body
  }

  get status(): number {
    return Number(this.head.slice(9, 12))
  }

  get text(): string {
    return this.#body.toString()
  }

  get body(): unknown {
    try {
      return JSON.parse(this.text)
    } catch {
      return undefined
    }
  }
}

/** True if the answer ends its connection. */
export const isLast = ({ head }: Answer): boolean => /^connection: close/im.test(head)

export async function ask(url: string, bytes: string): Promise<Answer | undefined> {
  const wire = await Wire.open(url)
  wire.send(bytes)
  const [answer] = await wire.answers(1)
  wire.close()
  return answer
}
