import { closed, defineTool, gatewayInfo, Type } from '@gateway/sdk'
import { config } from '../config.ts'
import { Histogram } from '../rules/histogram.ts'
import { hotPathSchema, latencySchema, slowCallSchema, toolLatencySchema } from '../schema.ts'
import { meters } from '../services/meters.ts'

const MAX_TOOLS = 500
const MAX_SLOW = 50
const MAX_HOT = 10

export const perfStats = defineTool({
  name: 'perf_stats',
  description:
    'Show how long the calls of each tool and route took: count, average, percentiles, the slowest, in milliseconds. Returns figures since this process started: of the caller’s tenant, for the operator of all.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      since: Type.String({ description: 'Start of the process.' }),
      aggregate: latencySchema,
      tools: Type.Array(toolLatencySchema, { description: `Tools by total time, largest first, at most ${MAX_TOOLS}.` }),
      slowCallThresholdMs: Type.Number(),
      slowCalls: Type.Array(slowCallSchema, { description: `Latest slow calls, newest first, at most ${MAX_SLOW}.` }),
      hotPaths: Type.Array(hotPathSchema, { description: 'Tools by share of time.' }),
    },
    closed,
  ),
  uses: { meters, config, gateway: gatewayInfo },
  async handle(_args, { meters, config, gateway }, ctx) {
    const tenantId = ctx.holds('operator') ? undefined : ctx.tenantId
    const byTime = meters.tools(tenantId).byTime()
    const aggregate = new Histogram()
    for (const { histogram } of byTime) aggregate.merge(histogram)
    const hotPaths = byTime.slice(0, MAX_HOT).map(({ tool, histogram: { count, sumMs } }) => ({
      tool,
      count,
      totalMs: Math.round(sumMs * 1_000) / 1_000,
      share: aggregate.sumMs === 0 ? 0 : Math.round((sumMs / aggregate.sumMs) * 10_000) / 10_000,
    }))
    return {
      since: gateway.startedAt.toISOString(),
      aggregate: aggregate.summary(),
      tools: byTime.slice(0, MAX_TOOLS).map(({ tool, histogram }) => ({ tool, ...histogram.summary() })),
      slowCallThresholdMs: config.slowCallMs,
      slowCalls: meters.slowCalls(MAX_SLOW, tenantId),
      hotPaths,
    }
  },
})
