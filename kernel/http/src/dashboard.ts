import type { Gateway } from '@gateway/kernel'
import { ATTENTION_URL, type Dashboard } from '@gateway/pages'
import type { FastifyPluginAsync } from 'fastify'
import { attention } from './attention.ts'
import { sendJson } from './reply.ts'

/** Data of the dashboard beyond the tools: its pages and the attention queue. */
export const dashboardData: FastifyPluginAsync<{ gateway: Gateway; pages: Dashboard }> = async (app, { gateway, pages }) => {
  app.get('/api/dashboard/pages', async ({ principal, headers }, reply) => {
    const json = pages.json(principal)
    const tag = `"${JSON.parse(json).revision}-${principal.role}-${principal.tenantId}-${principal.id}"`
    reply.header('cache-control', 'private, no-cache').header('etag', tag).header('vary', 'authorization')
    return headers['if-none-match'] === tag ? reply.code(304).send() : sendJson(reply, 200, json)
  })
  const look = attention(gateway, pages)
  app.get(ATTENTION_URL, async ({ principal }, reply) => sendJson(reply, 200, JSON.stringify(await look(principal))))
}
