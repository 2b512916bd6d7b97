import type { Inventory } from '@gateway/kernel'
import type { FastifyPluginAsync } from 'fastify'
import { sendJson } from '../reply.ts'
import type { ServedRoutes } from '../served-routes.ts'
import { docsPage } from './docs-page.ts'
import { openApi } from './document.ts'
import { answer, page, text } from './page.ts'
import { throughSwagger } from './swagger.ts'

interface Parts {
  readonly routes: ServedRoutes
  readonly inventory: Inventory
}

/** The API's description, for programs and for people. Built at the first request and kept as bytes. */
export const reference: FastifyPluginAsync<Parts> = async (app, { routes, inventory }) => {
  const document = lazy(() => openApi(routes, inventory.plugins))
  const json = lazy(async () => Buffer.from(JSON.stringify(await throughSwagger(document()))))
  const docs = lazy(() => docsPage(document()))
  const forPrograms = page('openapi', 'This document.', { responses: { 200: answer('OpenAPI 3.1.', { type: 'object' }) } })
  app.get('/api/openapi.json', { schema: forPrograms }, async (_request, reply) => sendJson(reply, 200, await json()))
  const forPeople = page('docs', 'This document for people.', {
    responses: { 200: answer('One page without outside parts.', text, 'text/html') },
  })
  app.get('/api/docs', { schema: forPeople }, async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', docs().policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .send(docs().html),
  )
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
