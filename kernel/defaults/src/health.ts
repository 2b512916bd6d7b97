import type { HealthParts } from '@gateway/kernel'
import { defined, type GatewayHealth, type HealthFinding, type HealthProbe, type HealthReport, type HealthStatus } from '@gateway/sdk'
import { shared, within } from '@gateway/sdk/bounds'

/** A subsystem that does not answer within this time counts as unhealthy. */
const MAX_CHECK_MS = 5_000

/**
 * Combines the kernel's own health with that of the plugins. Concurrent callers share one check, so frequent polling costs no
 * more than one.
 */
export function healthOf(parts: HealthParts): GatewayHealth {
  return { check: shared(() => look(parts)) }
}

async function look({ store, audit, admission, settings, log, probes }: HealthParts): Promise<HealthReport> {
  const failed: string[] = []
  async function check(probe: HealthProbe): Promise<HealthFinding> {
    const late: HealthFinding = { status: 'unhealthy', error: `no answer within ${MAX_CHECK_MS} ms` }
    try {
      return await within(probe.check(), MAX_CHECK_MS, late)
    } catch (error) {
      log.error({ probe: probe.name, err: error }, 'a health check failed')
      failed.push(probe.name)
      return { status: 'unhealthy', error: (error as Error).message }
    }
  }
  async function families(): Promise<Record<string, HealthFinding>> {
    try {
      return Object.fromEntries(await Promise.all(probes().map(async (probe) => [probe.name, await check(probe)] as const)))
    } catch (error) {
      log.error({ err: error }, 'the health checks failed')
      failed.push('probes')
      return { probes: { status: 'unhealthy', error: (error as Error).message } }
    }
  }
  const { connected, ...figures } = await store.health()
  const findings: Record<string, HealthFinding> = {
    // Checks of plugins read the store: without it they would wait for it and fail.
    ...(connected && (await families())),
    database: { ...figures, status: connected ? written(figures.writesFail ?? figures.damaged) : 'unhealthy' },
    audit: { status: written(audit.fault), ...defined({ writesFail: audit.fault }) },
    load: { status: 'healthy', inFlight: admission.inFlight, maxInFlight: settings.maxInFlight },
  }
  return { status: worst(Object.values(findings)), parts: findings, failed }
}

/** A store that can be read but not written still serves something. */
const written = (fault: string | undefined): HealthStatus => (fault === undefined ? 'healthy' : 'degraded')

function worst(findings: readonly HealthFinding[]): HealthStatus {
  for (const status of ['unhealthy', 'degraded'] as const) if (findings.some((finding) => finding.status === status)) return status
  return 'healthy'
}
