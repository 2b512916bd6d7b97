import { type Gateway, PROBER } from '@gateway/kernel'
import { type StatusFacts, statusFacts } from '@gateway/sdk'
import { shared, within } from '@gateway/sdk/bounds'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { answer, count, object, page, text } from '../openapi/page.ts'
import { sendJson } from '../reply.ts'
import { basicFacts, basics } from './basics.ts'
import { seesDetails } from './sees-details.ts'

const NAME = 'gateway'
/** Figures that are not read within this time count as unread. */
const MAX_FACTS_MS = 5_000

const plugin = object({ id: text, outcome: { enum: ['started', 'off', 'failed'] }, milliseconds: { type: 'number' }, tools: count })

export function addStatus(app: FastifyInstance, gateway: Gateway): void {
  // The page is public, so concurrent callers share one answer: frequent polling must not cost more than one request.
  const status = shared(() => statusPage(gateway))
  app.get('/status', { schema: schemaOf(gateway) }, async (request, reply) => {
    const shown = (await seesDetails(gateway, request)) ? await status() : { name: NAME, ...(await basics(gateway)) }
    return sendJson(reply, 200, JSON.stringify(shown))
  })
}

function schemaOf(gateway: Gateway): FastifySchema {
  return page('status', 'What is running.', () => {
    const sources = gateway.collect(statusFacts, PROBER)
    const own = { name: text, version: text, ...basicFacts, plugins: { type: 'array', items: plugin } }
    const properties = { ...Object.assign({}, ...sources.map(({ schema }) => schema)), ...own }
    const required = ['name', ...Object.keys(basicFacts)]
    const description =
      'Figures of every family, and each plugin’s start, for the local operator and for callers with a credential; for others the required ones alone.'
    return { responses: { 200: answer(description, { type: 'object', required, properties }) } }
  })
}

/** Facts of families, overridden by those of the kernel. */
async function statusPage(gateway: Gateway): Promise<object> {
  const known = await basics(gateway)
  const sources = gateway.collect(statusFacts, PROBER)
  const facts = known.database === 'connected' ? await Promise.all(sources.map((one) => factsOf(one, gateway))) : sources.map(unread)
  return { ...Object.assign({}, ...facts), name: NAME, version: gateway.version, ...known, plugins: gateway.report }
}

const unread = (source: StatusFacts): Readonly<Record<string, unknown>> => source.unread

/** A contribution that fails loses only its own figures and is logged. */
async function factsOf(source: StatusFacts, { log }: Gateway): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...source.unread, ...(await within(source.read(), MAX_FACTS_MS, {})) }
  } catch (error) {
    log.warn({ err: error }, 'status facts left out')
    return source.unread
  }
}
