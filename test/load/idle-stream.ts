import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that only listens. */
export class IdleStream {
  readonly #socket: Socket
  #text = ''
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      this.#text += chunk.toString()
      this.#wake()
    })
    socket.on('close', () => this.#wake())
  }

  /** Sends the request; resolves when the stream has begun. */
  static async open(url: string, request: string): Promise<IdleStream> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    const stream = new IdleStream(socket)
    socket.write(request, 'latin1')
    await stream.until('\r\n\r\n')
    assert.match(stream.#text, /^HTTP\/1\.1 200 /)
    return stream
  }

  async until(said: string): Promise<void> {
    while (!this.#text.includes(said)) {
      assert.ok(!this.#socket.destroyed, `the stream ended: ${this.#text}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Closes like a killed process: without a goodbye. */
  die(): void {
    this.#socket.resetAndDestroy()
  }
}
