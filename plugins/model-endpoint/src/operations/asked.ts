import { type Models, TIERS, type Tier } from '@gateway/plugin-providers/api'
import { defined, type Exchange } from '@gateway/sdk'
import { ModelNotFound } from '../errors.ts'
import { type Json, refuse } from '../rules/json.ts'
import { MAX_NAME, type NamedWork } from '../schema.ts'

/** Channel of the budgets that calls of the endpoint are charged to. */
export const CHANNEL = 'model-endpoint'

/** The model that a body asks for, and the agent and task that the address of the call names, or its headers. */
export function askedOf(body: Json, { agent, taskId }: NamedWork, exchange: Exchange, models: Models) {
  const work = { agent: agent ?? named(exchange, 'x-gateway-agent'), taskId: taskId ?? named(exchange, 'x-gateway-task') }
  return { ...pinOf(body, models), ...defined(work) }
}

function named({ headers }: Exchange, header: string): string | undefined {
  const name = headers[header]
  if (name === undefined) return undefined
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return refuse(header, `must have 1 to ${MAX_NAME} characters.`)
  return name
}

function pinOf({ model }: Json, models: Models): { readonly tier: Tier } | { readonly model: string } {
  if (typeof model !== 'string' || model === '' || model.length > 400)
    return refuse('model', 'must name a tier, a model, or provider/model.')
  if ((TIERS as readonly string[]).includes(model)) return { tier: model as Tier }
  if (models.configured && !models.serves(model)) throw ModelNotFound({ model })
  return { model }
}
