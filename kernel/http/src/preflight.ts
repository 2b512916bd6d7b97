import type { FastifyReply, FastifyRequest } from 'fastify'

const ALLOW_HEADERS =
  'authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-admin-token, x-api-key, x-request-id'
/** Header names chosen by tools: a page may send those it asks for. */
const PARAM_HEADER = /^mcp-param-[\w!#$%&'*+.^`|~-]+$/i

/** True for the question of a browser whether a page may send a request. Its origin has been checked before. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** Adds the methods and headers that a page of an allowed origin may send. */
export function allowPage(reply: FastifyReply, methods: string, asked: string | undefined): void {
  reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', allowHeaders(asked))
    .header('access-control-max-age', '600')
}

function allowHeaders(asked = ''): string {
  const params = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name))
  return [ALLOW_HEADERS, ...params].join(', ')
}
