import { closed, Type } from '@gateway/sdk'

const ms = (description: string) => Type.Number({ description })

/** Durations of calls, in milliseconds. */
const latency = {
  count: Type.Integer(),
  avg: ms('Mean.'),
  p50: ms('Half took no longer.'),
  p95: ms('19 of 20 took no longer.'),
  p99: ms('99 of 100 took no longer.'),
  max: ms('The longest.'),
}
export const latencySchema = Type.Object(latency, closed)
export const toolLatencySchema = Type.Object({ tool: Type.String(), ...latency }, closed)

export const slowCallSchema = Type.Object(
  {
    tool: Type.String(),
    tenantId: Type.String(),
    via: Type.String(),
    outcome: Type.String({ description: 'ok, or the error code.' }),
    durationMs: Type.Number(),
    at: Type.String({ description: 'Time when it ended.' }),
  },
  closed,
)

export const hotPathSchema = Type.Object(
  {
    tool: Type.String(),
    count: Type.Integer(),
    totalMs: Type.Number(),
    share: Type.Number({ description: 'Share of the time of all calls, 0 to 1.' }),
  },
  closed,
)

export const objective = {
  p95Ms: Type.Number({ exclusiveMinimum: 0, description: 'Milliseconds within which 19 of 20 calls must end.' }),
  errorRatePct: Type.Number({ minimum: 0, maximum: 100, description: 'Percent of calls that may fail through no fault of the caller.' }),
}

export const breachSchema = Type.Object(
  {
    route: Type.String({ description: 'Tool or route.' }),
    samples: Type.Integer({ description: 'Calls within the window.' }),
    p95: Type.Number(),
    errorRatePct: Type.Number(),
    objective: Type.Object({ ...objective, p95Ms: Type.Optional(objective.p95Ms) }, closed),
    broken: Type.Array(Type.Enum(['p95', 'errorRate']), { description: 'Objectives that are broken.' }),
  },
  closed,
)
