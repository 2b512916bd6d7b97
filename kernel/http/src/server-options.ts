import type { Server } from 'node:http'
import type { Settings } from '@gateway/settings'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify'
import { clientError, MAX_HEADER_BYTES } from './client-error.ts'
import { requestId } from './guard.ts'
import { withoutMcpSlash } from './mcp-addresses.ts'

/** Longer than the pauses of an agent between two calls, so that it seldom dials anew. */
const KEEP_ALIVE_MS = 72_000
/** Path parameters may be long names, percent-encoded; headers bound them. */
const MAX_PARAM_LENGTH = MAX_HEADER_BYTES

function noCompiler(): never {
  throw new Error('Routes have no schema of Fastify’s.')
}

/** How Fastify and Node’s server are set. `refused` answers a path that cannot be decoded, which reaches no hook. */
export function serverOptions(settings: Settings, refused: (failure: Error, request: FastifyRequest, reply: FastifyReply) => void) {
  return {
    // A logger per request costs more than a cheap call; what matters is logged by the kernel and by `failures`.
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    clientErrorHandler: clientError(settings),
    frameworkErrors: (failure, request, reply) => refused(failure, request as FastifyRequest, reply as FastifyReply),
    genReqId: requestId,
    rewriteUrl: ({ url = '' }) => withoutMcpSlash(url),
    // The registry checks arguments. Fastify’s own compilers, which it loads unless it is given others, would cost the start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: settings.requestTimeoutMs,
      // How often Node looks for requests that are out of time; its default of 30 s would let them linger.
      connectionsCheckingInterval: Math.min(1_000, settings.requestTimeoutMs),
      // Answered by the guard, with a record, like any other foreign Host.
      requireHostHeader: false,
      // Node would keep the first of two Authorization or Host headers in silence; a proxy in front may go by the last.
      joinDuplicateHeaders: true,
    },
  } satisfies FastifyHttpOptions<Server>
}
