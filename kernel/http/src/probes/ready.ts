import type { Gateway } from '@gateway/kernel'
import type { FastifyInstance } from 'fastify'
import type { LoadShedder } from '../load-shedder.ts'
import { answer, object, page } from '../openapi/page.ts'
import { sendJson } from '../reply.ts'

const schema = page('ready', 'Whether to send callers here.', {
  responses: {
    200: answer('Yes.', object({ status: { const: 'ready' } })),
    503: answer(
      'Not ready: it starts or stops, or the store accepts no writes.',
      object({ status: { enum: ['starting', 'draining', 'read-only', 'disconnected'] } }),
    ),
  },
})

export function addReady(app: FastifyInstance, gateway: Gateway, shedder: Pick<LoadShedder, 'state'>): void {
  app.get('/ready', { schema }, async (_request, reply) => {
    const status = await readiness(gateway, shedder)
    if (status === 'ready') return sendJson(reply, 200, JSON.stringify({ status }))
    return sendJson(reply.header('retry-after', '1'), 503, JSON.stringify({ status }))
  })
}

/** Readiness for callers: false before the start is complete, while stopping, and while the store accepts no writes. */
async function readiness({ store }: Gateway, shedder: Pick<LoadShedder, 'state'>): Promise<string> {
  if (shedder.state !== 'open') return shedder.state
  const { connected, writesFail } = await store.health()
  if (!connected) return 'disconnected'
  return writesFail === undefined ? 'ready' : 'read-only'
}
