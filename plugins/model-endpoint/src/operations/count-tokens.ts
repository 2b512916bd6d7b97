import { models } from '@gateway/plugin-providers/api'
import type { CallContext, Exchange, Resolved } from '@gateway/sdk'
import { refuse } from '../rules/json.ts'
import type { NamedWork } from '../schema.ts'
import { bodies } from '../services/bodies.ts'
import { answered } from './answering.ts'
import { askedOf, CHANNEL } from './asked.ts'
import { RelayCall } from './relay-call.ts'

export const countUses = { models, bodies }
type Refs = Resolved<typeof countUses>

/** Counts the tokens of a body of messages: the provider's own count where it has one, else the estimate by which a call is reserved. */
export const countTokens = (work: NamedWork, refs: Refs, ctx: CallContext, exchange: Exchange): Promise<void> =>
  answered('messages', refs.bodies, ctx, exchange, async (read, answering) => {
    const { body, inputTokens } = read
    const { messages } = body
    if (!Array.isArray(messages) || messages.length === 0) refuse('messages', 'must be a list with at least one message.')
    const relay = new RelayCall('messages', read, exchange.headers, () => undefined, { max_tokens: 1 })
    const counted = await refs.models.countPrompt({ ...askedOf(body, work, exchange, refs.models), channel: CHANNEL, relay })
    const headers = counted === undefined ? { 'x-gateway-estimated': 'true' } : {}
    answering.json(JSON.stringify({ input_tokens: counted ?? inputTokens }), headers)
  })
