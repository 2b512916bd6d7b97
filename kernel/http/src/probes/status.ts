import { type Gateway, PROBER } from '@gateway/kernel'
import { statusFacts } from '@gateway/sdk'
import { shared, within } from '@gateway/sdk/bounds'
import type { FastifyInstance } from 'fastify'
import { answer, count, object, page, text } from '../openapi/page.ts'
import { sendJson } from '../reply.ts'
import { basicFacts, basics } from './basics.ts'

const plugin = object({ id: text, outcome: { enum: ['started', 'off', 'failed'] }, milliseconds: { type: 'number' }, tools: count })
const schema = page('status', 'What is running.', {
  responses: {
    200: answer(
      'Figures of every family, and each plugin’s start.',
      object({
        name: text,
        version: text,
        ...basicFacts,
        llm: { enum: ['configured', 'not_configured'] },
        agents: count,
        skills: count,
        hooks: count,
        rules: count,
        sessions: object({ total: count, active: count }),
        plugins: { type: 'array', items: plugin },
      }),
    ),
  },
})

/** Figures that are not there after so long are left out. */
const MAX_FACTS_MS = 5_000

export function addStatus(app: FastifyInstance, gateway: Gateway): void {
  // The page is open, so callers share one that is being made: asking often must not cost more than asking once.
  const status = shared(() => statusPage(gateway))
  app.get('/status', { schema }, async (_request, reply) => sendJson(reply, 200, JSON.stringify(await status())))
}

/** What families contribute, then what the kernel knows for itself; a contribution that fails is left out and logged. */
async function statusPage(gateway: Gateway): Promise<object> {
  const known = await basics(gateway)
  const sources = known.database === 'connected' ? gateway.collect(statusFacts, PROBER) : []
  const facts = await Promise.all(
    sources.map(async (read) => {
      try {
        return await within(read(), MAX_FACTS_MS, {})
      } catch (error) {
        gateway.log.warn({ err: error }, 'status facts left out')
        return {}
      }
    }),
  )
  return {
    llm: 'not_configured',
    agents: 0,
    skills: 0,
    hooks: 0,
    rules: 0,
    sessions: { total: 0, active: 0 },
    ...Object.assign({}, ...facts),
    name: 'gateway',
    version: gateway.version,
    ...known,
    plugins: gateway.report,
  }
}
