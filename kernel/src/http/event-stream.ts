import type { FastifyReply } from 'fastify'
import type { EventStream } from '../mcp/event-stream.ts'

/** A stream that holds more than this unsent has a client that does not keep up. */
const MAX_UNSENT_BYTES = 65_536

/** Takes the reply over from Fastify and writes server-sent events. */
export function eventStream(reply: FastifyReply): EventStream {
  const headers = reply.getHeaders() as Record<string, string>
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  // Headers at once: the client knows that it is being listened to before the first event.
  raw.flushHeaders()
  return {
    get full() {
      return raw.writableLength > MAX_UNSENT_BYTES
    },
    send(message, id) {
      raw.write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${message.toString()}\n\n`)
    },
    prime(id, retryMs) {
      raw.write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
    },
    keepAlive() {
      raw.write(': keep-alive\n\n')
    },
    end() {
      raw.end()
    },
    onClose(listener) {
      // A client can be gone before its stream is opened; nothing would tell of it later.
      if (raw.closed) listener()
      else raw.on('close', listener)
    },
  }
}
