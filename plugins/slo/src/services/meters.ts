import { type CallRecord, defineService, gatewayInfo, isSynthetic, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { type SlowCall, SlowCalls } from '../operations/slow-calls.ts'
import { ToolMeters } from '../operations/tool-meters.ts'
import { type Breach, breachOf, unknownOverrides } from '../rules/breach.ts'
import { RouteWindow, sliceOf } from '../rules/window.ts'

/** Figures of this process since its start. */
export interface Meters {
  observe(call: CallRecord, now: number): void
  /** Meters of one tenant, or of all tenants together. */
  tools(tenantId?: string): ToolMeters
  slowCalls(limit: number, tenantId?: string): SlowCall[]
  breaches(now: number): Breach[]
  forget(tenantId: string): void
}
export const meters = defineService<Meters>('slo.meters', 'process')

/**
 * Number of separate histograms of tenants' tools, two kilobytes each; beyond it, the figures of the oldest tenant are dropped.
 */
const MAX_TENANT_HISTOGRAMS = 4_000
const MAX_TENANTS = 1_000
const MAX_NAMES_PER_TENANT = 400
/** Each holds three histograms. */
const MAX_ROUTES = 1_000

export const metersProvider = provideProcess(meters, {
  uses: { config, gateway: gatewayInfo },
  create({ config, gateway }) {
    const unknown = unknownOverrides(config, gateway.tools())
    if (unknown.length > 0)
      gateway.log('slo').warn('routeOverrides names tools that the gateway does not have; they hold for tenants’ own tools', { unknown })
    const all = new ToolMeters()
    let held = 0
    const tenants = new BoundedMap<string, ToolMeters>(MAX_TENANTS, (dropped) => void (held -= dropped.size))
    const routes = new Map<string, RouteWindow>()
    const slow = new SlowCalls()

    function ofTenant(tenantId: string, tool: string, durationMs: number): void {
      let own = tenants.get(tenantId)
      if (!own) tenants.set(tenantId, (own = new ToolMeters(MAX_NAMES_PER_TENANT)))
      const before = own.size
      own.add(tool, durationMs)
      held += own.size - before
      for (const [oldest, meters] of tenants) {
        if (held <= MAX_TENANT_HISTOGRAMS || meters === own) break
        tenants.delete(oldest)
        held -= meters.size
      }
    }

    return {
      observe({ tool, tenantId, via, outcome, status, durationMs }, now) {
        // Calls that are not tools or routes have no status; synthetic tenants are not measured.
        if (status === undefined || isSynthetic(tenantId)) return
        all.add(tool, durationMs)
        ofTenant(tenantId, tool, durationMs)
        let route = routes.get(tool)
        if (!route && routes.size < MAX_ROUTES) routes.set(tool, (route = new RouteWindow()))
        route?.add(sliceOf(now, config.windowMinutes), durationMs, status >= 500)
        if (durationMs >= config.slowCallMs) slow.add({ tool, tenantId, via, outcome, durationMs, at: new Date(now).toISOString() })
      },
      tools: (tenantId) => (tenantId === undefined ? all : (tenants.get(tenantId) ?? new ToolMeters())),
      slowCalls: (limit, tenantId) => slow.latest(limit, (call) => tenantId === undefined || call.tenantId === tenantId),
      forget(tenantId) {
        held -= tenants.get(tenantId)?.size ?? 0
        tenants.delete(tenantId)
        slow.forget(tenantId)
      },
      breaches(now) {
        const slice = sliceOf(now, config.windowMinutes)
        return [...routes].flatMap(([route, window]) => breachOf(route, window.read(slice), config) ?? [])
      },
    }
  },
})
