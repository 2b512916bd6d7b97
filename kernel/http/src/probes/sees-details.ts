import type { Gateway } from '@gateway/kernel'
import { within } from '@gateway/sdk/bounds'
import type { FastifyRequest } from 'fastify'
import { factsOf } from '../guard.ts'

/** A credential is looked up in the store, and a probe answers while the store does not. */
const MAX_LOOK_UP_MS = 1_000

/**
 * Tells the callers that receive details from a probe (versions, sizes, plugins, figures): the local operator, and callers with a
 * credential. A probe refuses nobody, so a wrong credential or a foreign Host gets the short answer.
 */
export async function seesDetails({ access }: Gateway, request: FastifyRequest): Promise<boolean> {
  const facts = factsOf(request)
  const need = facts.headers['x-admin-token'] === undefined ? 'caller' : 'admin'
  try {
    return (await within(Promise.resolve(access.identify(facts, need)), MAX_LOOK_UP_MS, undefined)) !== undefined
  } catch {
    return false
  }
}
