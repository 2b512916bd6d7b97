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
        operationNames: 'any',
        env: 'SLO_ROUTE_OVERRIDES',
        description:
          'Objectives of individual tools or routes, by name: {"tasks_claim": {"p95Ms": 50}}. Model calls have no p95Ms unless it is set here.',
      }),
      minSamples: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 1_000_000,
        env: 'SLO_MIN_SAMPLES',
        description: 'Minimum number of calls within the window before a route can break its objectives.',
      }),
      cooldownMinutes: Type.Number({
        default: 15,
        exclusiveMinimum: 0,
        maximum: 10_080,
        env: 'SLO_COOLDOWN_MINUTES',
        description: 'Minimum time between two alerts of one route.',
      }),
      windowMinutes: Type.Number({
        default: 15,
        minimum: 1,
        maximum: 1_440,
        env: 'SLO_WINDOW_MINUTES',
        description: 'Length of the window over which the objectives are measured.',
      }),
      alertsDisabled: Type.Boolean({
        default: false,
        env: 'SLO_ALERTS_DISABLED',
        description: 'Breaches are shown, but raise no alerts.',
      }),
      slowCallMs: Type.Number({
        default: 500,
        minimum: 0,
        maximum: 3_600_000,
        env: 'PERF_SLOW_CALL_MS',
        description: 'Calls that take at least this long are listed as slow calls.',
      }),
    },
    closed,
  ),
)
