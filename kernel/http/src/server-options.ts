import type { Server } from 'node:http'
import type { Settings } from '@gateway/settings'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify'
import { clientError, MAX_HEADER_BYTES } from './client-error.ts'
import { requestId } from './guard.ts'
import { withStream } from './live/journal-stream.ts'
import { withoutMcpSlash } from './mcp-addresses.ts'

/** Longer than the pauses of an agent between two calls, so that it rarely reconnects. */
const KEEP_ALIVE_MS = 72_000
/** Path parameters may be long percent-encoded names; the limit on headers bounds them. */
const MAX_PARAM_LENGTH = MAX_HEADER_BYTES

function noCompiler(): never {
  throw new Error('Routes have no schema of Fastify’s.')
}

/** Options of Fastify and Node's server. `refused` answers a path that cannot be decoded, which reaches no hook. */
export function serverOptions(settings: Settings, refused: (failure: Error, request: FastifyRequest, reply: FastifyReply) => void) {
  return {
    // A logger per request costs more than a cheap call; the kernel and `failures` log the important events.
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    clientErrorHandler: clientError(settings),
    frameworkErrors: (failure, request, reply) => refused(failure, request as FastifyRequest, reply as FastifyReply),
    genReqId: requestId,
    rewriteUrl: ({ url = '', headers }) => withStream(withoutMcpSlash(url), headers.accept),
    // The registry validates arguments. Fastify's own compilers, which it loads by default, would cost the start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: settings.requestTimeoutMs,
      // Interval of Node's check for timed-out requests; its default of 30 s would let them linger.
      connectionsCheckingInterval: Math.min(1_000, settings.requestTimeoutMs),
      // The guard answers a missing Host with a record, like any foreign one.
      requireHostHeader: false,
      // Node would silently keep the first of two Authorization or Host headers; a proxy in front may use the last.
      joinDuplicateHeaders: true,
    },
  } satisfies FastifyHttpOptions<Server>
}
