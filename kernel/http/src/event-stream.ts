import { Socket } from 'node:net'
import type { EventStream } from '@gateway/mcp'
import type { FastifyReply } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** A stream that holds more than this unsent has a client that does not keep up. */
const MAX_UNSENT_BYTES = 65_536
/**
 * Silence after which a client that vanished without a word is looked for. Ten probes, a second apart, must fail before
 * the next keep-alive comment is written: what waits to be acknowledged stops the probes, and is given up only after minutes.
 */
const PROBE_AFTER_MS = 3_000

/** One that can be ended at once, with all that is unsent: a client that does not read would hold it for as long as it likes. */
export interface CutStream extends EventStream {
  cut(): void
}

/** Takes the reply over from Fastify and writes server-sent events, as long as `mayGoOn` says so. */
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
  // Headers at once: the client knows that it is being listened to before the first event.
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
    onClose(listener) {
      onReplyEnd(reply, listener)
    },
  }
}
