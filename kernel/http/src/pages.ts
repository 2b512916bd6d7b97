import type { Gateway } from '@gateway/kernel'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'
import { openApi } from './openapi.ts'
import { sendJson } from './reply.ts'

/** The API’s description, for programs and for people. Made on the first request and kept as bytes. */
export function addPages(app: FastifyInstance, { inventory }: Pick<Gateway, 'inventory'>): void {
  const document = lazy(() => openApi(inventory))
  const json = lazy(() => Buffer.from(JSON.stringify(document())))
  const page = lazy(() => docsPage(document()))
  app.get('/api/openapi.json', async (_request, reply) => sendJson(reply, 200, json()))
  app.get('/api/docs', async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', page().policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .send(page().html),
  )
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
