import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { Exchange } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface OpenExchange extends Exchange {
  readonly begun: boolean
}

export function openExchange({ raw: request }: FastifyRequest, reply: FastifyReply): OpenExchange {
  let listener = (): void => {}
  const moved = (): void => listener()
  let out: Writable | undefined
  const body = through(moved)
  request.pipe(body)
  // A client that disconnects in the middle of a body has not ended it.
  request.once('close', () => request.complete || body.destroy(new Error('the client has gone')))
  return {
    headers: request.headers,
    onMoved: (received) => void (listener = received),
    body,
    get begun() {
      return out !== undefined
    },
    answer(status, headers) {
      if (out) throw new Error('answer() may be called once; the response has begun')
      out = through(moved)
      reply.hijack()
      reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...(headers as Record<string, string | string[]>) })
      const sent = out as Writable & Readable
      sent.pipe(reply.raw)
      reply.raw.once('close', () => sent.destroy())
      return sent
    },
  }
}

function through(moved: () => void): PassThrough {
  return new PassThrough({
    transform(chunk, _encoding, done) {
      moved()
      done(null, chunk)
    },
    // An error that nobody listens for any more must not end the process.
  }).on('error', () => {})
}
