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
  readonly absences: readonly number[]
  readonly measured: readonly Measured[]
  readonly samples: readonly Sample[]
  readonly counts: Counts
  readonly findings: Findings
  /** Pace of the noisy tenant, as a multiple of the others'. */
  readonly noise: number
  readonly loadAfter: number
}

const MAX_SHOWN = 10
/** Time after a restart in which the queue of waiting agents is worked off. */
const SETTLED_MS = 10_000

export function soakMarkdown(soak: Soak): string {
  const { tenants, agents, minutes, speed, measured, counts, findings } = soak
  const hours = Math.round((minutes * speed) / 60)
  const quiet = measured.filter(({ isNoisyTenant }) => !isNoisyTenant)
  const at = (share: number) => (rows: readonly Measured[]) =>
    quantile(
      rows.map(({ ms }) => ms),
      share,
    )
  const [p50, p99] = [at(0.5), at(0.99)]
  const steady = quiet.filter(({ sinceRestartMs }) => sinceRestartMs > SETTLED_MS)
  const calm = p99(steady.filter(({ duringNoise }) => !duringNoise))
  const loud = p99(steady.filter(({ duringNoise }) => duringNoise))
  return [
    `# ${hours} simulated hours with many agents`,
    '',
    `${tenants} tenants with ${agents} agents each, on one gateway with the embedded store, which was restarted ${soak.absences.length} times. The clock ran ${speed} times as fast as real time: ${minutes} minutes are ${hours} simulated hours.`,
    `One tenant, the noisy one, calls ${soak.noise} times as often as the others in the middle half of each simulated hour.`,
    `Machine: ${soak.machine}, ${soak.loadAfter.toFixed(1)} after it; the agents run on the same machine.`,
    '',
    `All calls of all tenants but the noisy one: p50 ${p50(quiet).toFixed(1)} ms, p99 ${p99(quiet).toFixed(1)} ms. Without those of the ${SETTLED_MS / 1_000} s after a restart, when all agents return at once to a process that just began: p50 ${p50(steady).toFixed(1)} ms, p99 ${p99(steady).toFixed(1)} ms (${((100 * steady.length) / quiet.length).toFixed(1)} % of the calls). A restart takes ${quantile(soak.absences, 0.5).toFixed(0)} ms, at most ${Math.max(0, ...soak.absences).toFixed(0)} ms, in which nobody is answered.`,
    '',
    '| family | calls | p50 ms | p99 ms |',
    '| --- | --: | --: | --: |',
    ...families(quiet),
    '',
    `p99 of the other tenants while the noisy one is quiet: ${calm.toFixed(0)} ms; while it is loud: ${loud.toFixed(0)} ms (${(loud / calm).toFixed(2)} times as much), both without the ${SETTLED_MS / 1_000} s after a restart.`,
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
    `- refusals, of ${counts.refused.size} kinds: ${shown(numbered(counts.refused)) || 'none'}`,
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
  return `${all.length} (${shown(all)})`
}

const shown = (all: readonly string[]): string => [...all.slice(0, MAX_SHOWN), ...(all.length > MAX_SHOWN ? ['…'] : [])].join('; ')
