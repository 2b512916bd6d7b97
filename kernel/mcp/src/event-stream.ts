/** Server-sent events in place of a JSON answer. */
export interface EventStream {
  /** The client reads more slowly than it is written to. */
  readonly full: boolean
  /** One JSON-RPC message, on one line. With an `id`, a client that lost the stream can ask for what came after it. */
  send(message: string | Buffer, id?: string): void
  /** An event of another name than `message`; the data is one line. */
  event(name: string, data: string): void
  /** An event without data, whose id a client can come back with; it waits `retryMs` before it does. */
  prime(id: string, retryMs: number): void
  /** A comment: keeps proxies from closing an idle stream. Ends one whose caller would no longer be let in. */
  keepAlive(): void
  end(): void
  /** The client is gone, or the stream has ended. */
  onClose(listener: () => void): void
}
/** A stream that only listens ends when its caller’s credential does; a call that was let in goes on to its answer. */
export type StreamKind = 'call' | 'listening'
export type OpenStream = (kind: StreamKind) => EventStream
