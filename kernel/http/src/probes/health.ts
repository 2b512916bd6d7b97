import type { Gateway } from '@gateway/kernel'
import type { FastifyInstance } from 'fastify'
import { answer, object, page } from '../openapi/page.ts'
import { sendJson } from '../reply.ts'
import { basicFacts, basics } from './basics.ts'

const schema = page('health', 'Whether the gateway answers.', {
  responses: { 200: answer('It does.', object({ status: { const: 'ok' }, ...basicFacts })) },
})

export function addHealth(app: FastifyInstance, gateway: Gateway): void {
  app.get('/health', { schema }, async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify({ status: 'ok', ...(await basics(gateway)) })),
  )
}
