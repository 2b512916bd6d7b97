import { type Gateway, Overloaded } from '@gateway/kernel'
import { LOCAL_TENANT, type Principal, type PublicRecord, publicEndpoints as point } from '@gateway/sdk'
import { argumentsDigest } from '@gateway/validation'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { RouteNotFound } from './errors.ts'
import { pathOf } from './guard.ts'
import type { LoadShedder } from './load-shedder.ts'
import { allowPage, isPreflight } from './preflight.ts'
import { sendError } from './reply.ts'

const PATHS = ['/.well-known/*', '/oauth/*']
const METHODS = 'GET, HEAD, OPTIONS, POST'
const MAX_BODY_BYTES = 65_536
/** Requests that run at once. Such a request takes milliseconds, unless it fetches the metadata of a client. */
const MAX_AT_ONCE = 64
const NO_ARGUMENTS = argumentsDigest({})
const ASKER: Principal = { id: 'public-endpoints', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

/** Endpoints without a credential. A path below them that nobody serves is 404, so that clients go on to ask for a key. */
export const publicEndpoints: FastifyPluginAsync<{ gateway: Gateway; shedder: LoadShedder }> = async (app, { gateway, shedder }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => done(null, body))
  let running = 0

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, raw, headers, body } = request
    const url = raw.url ?? ''
    const path = pathOf(url)
    // Clients in browsers send headers and types that their browser asks about first, whatever the path turns out to have.
    if (isPreflight(request)) {
      allowPage(reply, METHODS, headers['access-control-request-headers'])
      return reply.code(204).send()
    }
    const refusal = shedder.refusal(LOCAL_TENANT)
    if (refusal) return sendError(reply, refusal)
    if (running >= MAX_AT_ONCE)
      return sendError(reply, Overloaded({ message: 'Too many clients are signing in at once.', retryAfterSeconds: 1 }))
    running++
    const records: PublicRecord[] = []
    const address = app.addressOf({ peerAddress: raw.socket.remoteAddress ?? '', headers })
    try {
      const asked = { method, path, query: url.slice(path.length + 1), headers, body: typeof body === 'string' ? body : '' }
      for (const endpoints of gateway.collect(point, ASKER)) {
        const found = await endpoints.answer({ ...asked, address, audit: (record) => void records.push(record) })
        if (found) {
          for (const record of records) await write(record, { path, address, requestId: request.id })
          return reply
            .code(found.status)
            .headers(found.headers as Record<string, string | string[]>)
            .send(found.body)
        }
      }
    } finally {
      running--
    }
    return sendError(reply, RouteNotFound({ method, path: path.slice(0, 200) }))
  }

  /** A failure to write does not fail the request; the trail or the log keeps the record. */
  async function write(
    { name, principal, decision = 'ok', details }: PublicRecord,
    { path: tool, address, requestId }: { path: string; address: string; requestId: string },
  ): Promise<void> {
    const entry = { at: gateway.clock.now(), principal, name, tool, argsDigest: NO_ARGUMENTS, decision, requestId, via: 'rest' } as const
    try {
      await gateway.audit.append(principal.tenantId, [{ ...entry, origin: { address }, ...(details && { details }) }])
    } catch (error) {
      gateway.log.error({ event: name, tenantId: principal.tenantId, requestId, err: error }, 'the audit trail could not be written')
    }
  }

  for (const url of PATHS) app.all(url, { config: { credential: 'none' } }, answer)
}
