import { Socket } from 'node:net'
import type { EventStream } from '@gateway/mcp'
import type { FastifyReply } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** A stream with more unsent bytes than this has a client that is too slow. */
const MAX_UNSENT_BYTES = 65_536
/**
 * Silence after which a vanished client is probed. Ten probes, a second apart, must fail before the next keep-alive comment is
 * written, because unacknowledged data stops the probes and is given up only after minutes.
 */
const PROBE_AFTER_MS = 3_000

/** A stream that can be ended at once with everything unsent; otherwise a client that does not read would hold it. */
export interface CutStream extends EventStream {
  cut(): void
  /** Resolves when there is room for more, or when the stream has closed. */
  drained(): Promise<void>
}

/** Takes the reply over from Fastify and writes server-sent events for as long as `mayGoOn` resolves to true. */
export function eventStream(reply: FastifyReply, mayGoOn: () => Promise<boolean>): CutStream {
  const headers = reply.getHeaders() as Record<string, string>
  const { raw } = reply.hijack()
  const { socket } = reply.request.raw
  if (socket instanceof Socket) socket.setKeepAlive(true, PROBE_AFTER_MS)
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  // Headers are sent at once, so that the client knows before the first event that it is connected.
  raw.flushHeaders()
  const write = (text: string): void => {
    if (!raw.destroyed && !raw.writableEnded) raw.write(text)
  }
  return {
    get full() {
      return raw.writableLength > MAX_UNSENT_BYTES
    },
    send(message, id) {
      write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${message.toString()}\n\n`)
    },
    event(name, data) {
      write(`event: ${name}\ndata: ${data}\n\n`)
    },
    prime(id, retryMs) {
      write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
    },
    keepAlive() {
      write(': keep-alive\n\n')
      // A store that does not answer ends no stream.
      mayGoOn().then(
        (yes) => yes || raw.end(),
        () => {},
      )
    },
    end() {
      raw.end()
    },
    cut() {
      raw.destroy()
    },
    async drained() {
      if (!raw.writableNeedDrain || raw.destroyed) return
      await new Promise<void>((resolve) => raw.once('drain', resolve).once('close', resolve))
    },
    onClose(listener) {
      onReplyEnd(reply, listener)
    },
  }
}
