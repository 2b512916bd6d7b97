import type { HealthFinding } from '@gateway/sdk'

const MIB = 1_048_576

export function diskFinding(
  freeBytes: number,
  limits: { readonly diskDegradedMiB: number; readonly diskUnhealthyMiB: number },
): HealthFinding {
  const freeMiB = Math.floor(freeBytes / MIB)
  if (freeMiB < limits.diskUnhealthyMiB) return { status: 'unhealthy', freeMiB, wantedMiB: limits.diskUnhealthyMiB }
  if (freeMiB < limits.diskDegradedMiB) return { status: 'degraded', freeMiB, wantedMiB: limits.diskDegradedMiB }
  return { status: 'healthy', freeMiB }
}
