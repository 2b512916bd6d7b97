import { quantile } from '../median.ts'
import type { Findings } from './audit.ts'
import type { Counts, Measured } from './client.ts'

export interface Sample {
  readonly hour: number
  readonly heapMiB: number
  readonly rssMiB: number
  readonly descriptors: number
  readonly storeMiB: number
}

export interface Soak {
  readonly machine: string
  readonly tenants: number
  readonly agents: number
  readonly minutes: number
  readonly speed: number
  readonly restarts: number
  readonly measured: readonly Measured[]
  readonly samples: readonly Sample[]
  readonly counts: Counts
  readonly findings: Findings
  readonly loadBefore: number
  readonly loadAfter: number
}

const MAX_SHOWN = 10

export function soakMarkdown(soak: Soak): string {
  const { tenants, agents, minutes, speed, measured, counts, findings } = soak
  const quiet = measured.filter(({ isNoisyTenant }) => !isNoisyTenant)
  const p99 = (rows: readonly Measured[]): number =>
    quantile(
      rows.map(({ ms }) => ms),
      0.99,
    )
  const calm = p99(quiet.filter(({ duringNoise }) => !duringNoise))
  const loud = p99(quiet.filter(({ duringNoise }) => duringNoise))
  return [
    '# A day with many agents',
    '',
    `${tenants} tenants with ${agents} agents each, for ${minutes} minutes at ${speed} times real time, on one gateway with the embedded store; it was restarted ${soak.restarts} times.`,
    `Machine: ${soak.machine}. Load average of the machine before the run ${soak.loadBefore.toFixed(1)}, after it ${soak.loadAfter.toFixed(1)}; the agents run on the same machine.`,
    '',
    '| family | calls | p50 ms | p99 ms |',
    '| --- | --: | --: | --: |',
    ...families(quiet),
    '',
    `p99 of the other tenants while the noisy one is quiet: ${calm.toFixed(0)} ms; while it is loud: ${loud.toFixed(0)} ms (${(loud / calm).toFixed(2)} times as much).`,
    '',
    '| simulated hour | heap MiB | memory MiB | descriptors | store MiB |',
    '| --: | --: | --: | --: | --: |',
    ...soak.samples.map(
      ({ hour, heapMiB, rssMiB, descriptors, storeMiB }) =>
        `| ${hour.toFixed(1)} | ${heapMiB.toFixed(0)} | ${rssMiB.toFixed(0)} | ${descriptors} | ${storeMiB.toFixed(1)} |`,
    ),
    '',
    `- calls: ${measured.length}, of which ${counts.retried} attempts met a gateway that stopped or started, or a key in progress, and were repeated`,
    `- lost records: ${listed(findings.lost)}`,
    `- stuck tasks: ${listed(findings.stuck)}`,
    `- records shown to another tenant: ${listed(counts.crossed)}`,
    `- answers 5xx other than 503: ${listed(numbered(counts.failed))}`,
    `- refusals: ${listed(numbered(counts.refused))}`,
    '',
  ].join('\n')
}

function families(measured: readonly Measured[]): string[] {
  const byFamily = new Map<string, number[]>()
  for (const { family, ms } of measured) {
    const known = byFamily.get(family)
    if (known) known.push(ms)
    else byFamily.set(family, [ms])
  }
  return [...byFamily]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([family, all]) => `| ${family} | ${all.length} | ${quantile(all, 0.5).toFixed(1)} | ${quantile(all, 0.99).toFixed(1)} |`)
}

const numbered = (counts: ReadonlyMap<string, number>): string[] => [...counts].map(([name, count]) => `${count} × ${name}`)

function listed(all: readonly string[]): string {
  if (all.length === 0) return '0'
  return `${all.length} (${all.slice(0, MAX_SHOWN).join('; ')}${all.length > MAX_SHOWN ? '; …' : ''})`
}
