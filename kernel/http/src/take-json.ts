import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Makes the routes of this scope accept JSON, as `read` parses it, and no other body. */
export function takeJson(app: FastifyInstance, read: (body: Buffer, request: FastifyRequest) => unknown): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, read(body, request))
    } catch (error) {
      done(error as Error)
    }
  })
}
