import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Gateway } from '@gateway/kernel'
import { ATTENTION_URL, type Dashboard } from '@gateway/pages'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { FastifyPluginAsync } from 'fastify'
import { attention } from './attention.ts'
import { sendJson } from './reply.ts'

const pack = promisify<string, Buffer>(gzip)
/** Callers whose packed description is kept: 30 kB each. */
const MAX_PACKED = 50

const takesGzip = (accepted: string | string[] | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted ?? ''))

/** Data of the dashboard beyond the tools: its pages and the attention queue. */
export const dashboardData: FastifyPluginAsync<{ gateway: Gateway; pages: Dashboard }> = async (app, { gateway, pages }) => {
  const packedBy = new BoundedMap<string, Buffer>(MAX_PACKED)
  app.get('/api/dashboard/pages', async ({ principal, headers }, reply) => {
    const json = pages.json(principal)
    const tag = `"${JSON.parse(json).revision}-${principal.role}-${principal.tenantId}-${encodeURIComponent(principal.id)}"`
    reply.header('cache-control', 'private, no-cache').header('etag', tag).header('vary', 'authorization, accept-encoding')
    if (headers['if-none-match'] === tag) return reply.code(304).send()
    if (!takesGzip(headers['accept-encoding'])) return sendJson(reply, 200, json)
    // The description of all pages is the largest part of a first visit. It holds nothing secret.
    const packed = packedBy.get(tag) ?? (await pack(json))
    packedBy.set(tag, packed)
    return sendJson(reply.header('content-encoding', 'gzip'), 200, packed)
  })
  const look = attention(gateway, pages)
  app.get(ATTENTION_URL, async ({ principal }, reply) => sendJson(reply, 200, JSON.stringify(await look(principal))))
}
