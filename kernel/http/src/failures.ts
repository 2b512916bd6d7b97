import type { Gateway } from '@gateway/kernel'
import { type Failures, toToolError } from './errors.ts'
import { pathOf } from './guard.ts'

export function failuresOf({ settings, log }: Pick<Gateway, 'settings' | 'log'>): Failures {
  return (failure, reply) => {
    const { request } = reply
    const error = toToolError(failure, {
      contentType: request.headers['content-type'],
      limitBytes: request.routeOptions.bodyLimit ?? settings.bodyLimitBytes,
      path: pathOf(request.raw.url ?? ''),
    })
    if (error.status >= 500 && error.status !== 503) {
      log.error({ err: failure, requestId: request.id, method: request.method, path: request.routeOptions.url }, 'a request failed')
    }
    // Fastify would close the connection, and a client that still sends would often see a reset instead of the answer. Without
    // this header
    // Node reads on and drops the data, for as long as any request may take.
    if (error.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
    return error
  }
}
