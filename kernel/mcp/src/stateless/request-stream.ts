import type { EventStream } from '../event-stream.ts'
import { type Notification, notificationMessage } from '../notification.ts'

/**
 * The notifications of one request, and then its answer. The stream opens with the first notification: a request without any is
 * answered as plain JSON. Notifications that a slow client has no room for are dropped.
 */
export class RequestStream {
  readonly #open: () => EventStream
  #stream: EventStream | undefined
  #isMuted = false

  constructor(open: () => EventStream) {
    this.#open = open
  }

  notify(notification: Notification): void {
    if (this.#isMuted) return
    this.#stream ??= this.#open()
    if (!this.#stream.full) this.#stream.send(notificationMessage(notification))
  }

  /** Only the answer is still to come. */
  mute(): void {
    this.#isMuted = true
  }

  /** Sends the answer at the end of the stream. False if no stream was opened and the answer is still to be sent. */
  finish(answer: string | Buffer): boolean {
    this.#isMuted = true
    if (this.#stream === undefined) return false
    this.#stream.send(answer)
    this.#stream.end()
    return true
  }
}
