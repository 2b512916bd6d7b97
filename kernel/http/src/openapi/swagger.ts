import { fastify } from 'fastify'
import type { OpenApiDocument } from './document.ts'

/**
 * Serves a finished OpenAPI document through `@fastify/swagger` in its static mode, which returns it unchanged. The library
 * is loaded at the first call because a start does not need it, and it is registered on an application of its own because a
 * running application takes no more plugins. Its YAML output is not offered: it blocks the event loop for two seconds.
 */
export async function throughSwagger(document: OpenApiDocument): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify()
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.ready()
  const served = app.swagger()
  await app.close()
  return served
}
