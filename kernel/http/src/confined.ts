import { Forbidden, type Principal, type ToolError } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Methods of MCP that tell of changes of the whole tenant. */
const STREAMS: ReadonlySet<unknown> = new Set(['resources/subscribe', 'subscriptions/listen'])
const MCP = /^\/(?:core\/)?mcp(?:\/|$)/

/**
 * Refuses whatever a confined key asks for outside of the call path, such as streams and pages. Calls themselves are checked by the
 * kernel, with their arguments.
 */
export function checkConfined(request: FastifyRequest, _reply: FastifyReply, done: (error?: ToolError) => void): void {
  const confinedTo = (request.principal as Principal | undefined)?.confinedTo
  if (confinedTo === undefined || isCall(request, Object.keys(confinedTo))) return done()
  done(Forbidden({ message: 'This key is issued for one task, and admits to its tools alone.' }))
}

function isCall({ routeOptions: { config, url = '' }, body }: FastifyRequest, operations: readonly string[]): boolean {
  if (config.operation !== undefined) return operations.includes(config.operation)
  if (url === '/api/tools' || url === '/api/tools/:name') return true
  return MCP.test(url) && !opensStream(body)
}

/** True if a message, or one of a batch, asks for changes of the tenant. */
export const opensStream = (body: unknown): boolean =>
  [body].flat().some((message) => STREAMS.has((message as { method?: unknown } | null | undefined)?.method))
