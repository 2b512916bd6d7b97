import type { Gateway } from '@gateway/kernel'
import type { HealthFinding } from '@gateway/sdk'
import type { FastifyInstance } from 'fastify'
import { answer, object, page, text } from '../openapi/page.ts'
import { sendJson } from '../reply.ts'
import { seesDetails } from './sees-details.ts'

/** The page: a finding per subsystem, `status`, and `error` if a check itself failed. */
type Body = Readonly<Record<string, string | HealthFinding>>

const finding = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['healthy', 'degraded', 'unhealthy'] } },
  description:
    'Each subsystem is a property next to `status`, with its own `status`; details are shown only to the local operator and to callers with a credential.',
}
const schema = page('health.deep', 'Whether each subsystem is well.', {
  responses: {
    200: answer('Healthy or degraded.', finding),
    500: answer('The check itself failed.', object({ status: { const: 'unhealthy' }, error: text })),
    503: answer('Unhealthy.', finding),
  },
})

export function addDeepHealth(app: FastifyInstance, gateway: Gateway): void {
  app.get('/health/deep', { schema }, async (request, reply) => {
    const { status, body } = await deepHealth(gateway)
    const shown = (await seesDetails(gateway, request)) ? body : withoutDetails(body)
    return sendJson(reply, status, JSON.stringify(shown))
  })
}

/** Keeps the status of each subsystem; details name versions, sizes and paths. */
function withoutDetails(body: Body): Body {
  const parts = Object.entries(body).map(([name, part]) => [name, typeof part === 'object' ? { status: part.status } : part])
  return {
    ...(Object.fromEntries(parts) as Body),
    ...(body.error !== undefined && { error: 'A check failed; the log says which, and why.' }),
  }
}

/**
 * Healthy and degraded give 200, unhealthy gives 503. A check that itself fails says nothing about its subsystem and gives 500.
 */
async function deepHealth({ health, log }: Gateway): Promise<{ status: number; body: Body }> {
  try {
    const { status, parts, failed } = await health.check()
    if (failed.length === 0) return { status: status === 'unhealthy' ? 503 : 200, body: { ...parts, status } }
    const faults = failed.map((name) => `the check of ${name} failed: ${parts[name]?.error}`)
    return { status: 500, body: { status: 'unhealthy', error: faults.join('; ') } }
  } catch (error) {
    log.error({ err: error }, 'the health check failed')
    return { status: 500, body: { status: 'unhealthy', error: (error as Error).message } }
  }
}
