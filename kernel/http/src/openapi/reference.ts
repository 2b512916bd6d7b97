import type { Inventory } from '@gateway/kernel'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { DefaultPages } from '../default-pages.ts'
import { sendJson } from '../reply.ts'
import type { ServedRoutes } from '../served-routes.ts'
import { docsPage } from './docs-page.ts'
import { openApi } from './document.ts'
import { answer, page, text } from './page.ts'
import { throughSwagger } from './swagger.ts'

interface Parts {
  readonly routes: ServedRoutes
  readonly inventory: Inventory
  readonly defaults: DefaultPages
}

const config = { credential: 'none' } as const

/** The API's description, for programs and for people. Built at the first request and kept as bytes. */
export const reference: FastifyPluginAsync<Parts> = async (app, { routes, inventory, defaults }) => {
  const document = lazy(() => openApi(routes, inventory.plugins))
  const json = lazy(async () => Buffer.from(JSON.stringify(await throughSwagger(document()))))
  const docs = lazy(() => docsPage(document()))
  const forPrograms = page('openapi', 'This document.', { responses: { 200: answer('OpenAPI 3.1.', { type: 'object' }) } })
  app.get('/api/openapi.json', { schema: forPrograms, config }, async (_request, reply) => sendJson(reply, 200, await json()))
  const forPeople = page('docs', 'This document for people.', {
    responses: { 200: answer('One page without outside parts.', text, 'text/html') },
  })
  const plain = page('docs-plain', 'This document for people, without a script that it needs.', {
    responses: { 200: answer('One page without outside parts.', text, 'text/html') },
  })
  const send = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', docs().policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .send(docs().html)
  defaults.get(app, '/api/docs', { schema: forPeople, config }, send)
  app.get('/api/docs/plain', { schema: plain, config }, send)
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
