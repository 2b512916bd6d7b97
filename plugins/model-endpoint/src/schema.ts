import { type RawHttp, Type } from '@gateway/sdk'

/** Longer than a provider may be silent before its answer begins, its waiting time included. */
export const IDLE_MS = 600_000

/** Characters of the name of an agent or task. */
export const MAX_NAME = 200
const work = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: MAX_NAME, description }))

/** Clients of messages add `beta=true`. A key that is limited to a task has fixed values of the others. */
export const query = {
  beta: Type.Optional(Type.String({ maxLength: 100, description: 'Accepted and ignored.' })),
  taskId: work('Id of the task that the call is for; comes before the header x-gateway-task.'),
  agent: work('Agent that calls; comes before the header x-gateway-agent.'),
}
/** The work that the address of a call names. */
export interface NamedWork {
  readonly taskId?: string
  readonly agent?: string
}

const any = (description: string) => Type.Object({}, { additionalProperties: true, description })

export const COUNT_HTTP: RawHttp = {
  headers: {
    'x-gateway-agent': { description: 'Agent that would call.' },
    'x-gateway-task': { description: 'Id of the task that the call would be for.' },
  },
  body: { 'application/json': any('The body of a messages call; `max_tokens` is not needed.') },
  answer: {
    status: 200,
    description: 'The number of tokens.',
    content: { 'application/json': Type.Object({ input_tokens: Type.Integer() }) },
    headers: { 'x-gateway-estimated': '`true` if the number is an estimate of the gateway; absent if the provider counted.' },
  },
}

export const MODEL_HTTP: RawHttp = {
  headers: {
    'x-gateway-agent': { description: 'Agent that calls: its caps apply, and its spend is listed under its name.' },
    'x-gateway-task': { description: 'Id of the task that the call is for: its caps and those of its swarm apply.' },
  },
  body: { 'application/json': any('As the wire defines it. `model` is a tier, a configured model, or provider/model.') },
  answer: {
    status: 200,
    description: 'Answer of the model, in the format of the API.',
    content: { 'application/json': any('An answer in one piece.'), 'text/event-stream': {} },
  },
}
