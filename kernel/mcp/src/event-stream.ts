export interface EventStream {
  /** True if the client reads more slowly than the gateway writes. */
  readonly full: boolean
  /** Sends one JSON-RPC message on one line. With an `id`, a client that lost the stream can ask for later messages. */
  send(message: string | Buffer, id?: string): void
  /** Sends an event with a name other than `message`; the data is one line. */
  event(name: string, data: string): void
  /** Sends an event without data, whose id a client can resume with; it waits `retryMs` first. */
  prime(id: string, retryMs: number): void
  /** Sends a comment that keeps proxies from closing an idle stream. Ends a stream whose caller is no longer admitted. */
  keepAlive(): void
  end(): void
  /** Called when the client disconnected or the stream ended. */
  onClose(listener: () => void): void
}
/** A listening stream ends with its caller's credential; an admitted call continues to its answer. */
export type StreamKind = 'call' | 'listening'
export type OpenStream = (kind: StreamKind) => EventStream
