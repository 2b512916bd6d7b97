import assert from 'node:assert/strict'
import type { EventStream } from '../../src/event-stream.ts'

/** Stream whose reader a test can block or remove. */
export class Memory implements EventStream {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly sent: any[] = []
  full = false
  ended = false
  alive = 0
  gone = false
  readonly #listeners: (() => void)[] = []
  send(message: string | Buffer): void {
    this.sent.push(JSON.parse(message.toString()))
  }
  event(): void {
    assert.fail('streams of this era have messages alone')
  }
  prime(): void {
    assert.fail('streams of this era cannot be taken up again')
  }
  keepAlive(): void {
    this.alive++
  }
  end(): void {
    this.ended = true
    this.close()
  }
  onClose(listener: () => void): void {
    if (this.gone) listener()
    else this.#listeners.push(listener)
  }
  close(): void {
    this.gone = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}
