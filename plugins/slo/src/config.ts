import { closed, defineConfig, Type } from '@gateway/sdk'
import { objective } from './schema.ts'

export const config = defineConfig(
  'slo',
  Type.Object(
    {
      p95Ms: Type.Number({ ...objective.p95Ms, default: 500, env: 'SLO_P95_MS' }),
      errorRatePct: Type.Number({ ...objective.errorRatePct, default: 5, env: 'SLO_ERROR_RATE_PCT' }),
      routeOverrides: Type.Record(Type.String(), Type.Partial(Type.Object(objective, closed)), {
        default: {},
        env: 'SLO_ROUTE_OVERRIDES',
        description:
          'Other objectives for some tools or routes, by name: {"tasks_claim": {"p95Ms": 50}}. Calls of models have no p95Ms unless it is set here.',
      }),
      minSamples: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 1_000_000,
        env: 'SLO_MIN_SAMPLES',
        description: 'A route with fewer calls within the window breaks nothing.',
      }),
      cooldownMinutes: Type.Number({
        default: 15,
        exclusiveMinimum: 0,
        maximum: 10_080,
        env: 'SLO_COOLDOWN_MINUTES',
        description: 'The least time between two alerts of one route.',
      }),
      windowMinutes: Type.Number({
        default: 15,
        minimum: 1,
        maximum: 1_440,
        env: 'SLO_WINDOW_MINUTES',
        description: 'Objectives are held against the calls of so long.',
      }),
      alertsDisabled: Type.Boolean({
        default: false,
        env: 'SLO_ALERTS_DISABLED',
        description: 'Breaches are shown, and nobody is alerted.',
      }),
      slowCallMs: Type.Number({
        default: 500,
        minimum: 0,
        maximum: 3_600_000,
        env: 'PERF_SLOW_CALL_MS',
        description: 'Calls that take so long, or longer, stand in the slow-call log.',
      }),
    },
    closed,
  ),
)
