import { helperMemory } from './helper-memory.ts'
import { quantile } from './median.ts'
import type { Plan } from './plan.ts'
import { type Server, startGateway } from './processes.ts'
import { REPOS, seedBrain } from './seed-brain.ts'
import { type ToolCalls, toolCalls } from './tool-calls.ts'

const CALLERS = 16
const READS = 60

export interface BrainFigures {
  readonly atoms: number
  /** Seconds to index a new repository. */
  readonly indexed: number
  /** Durable commits per second. */
  readonly perSecond: number
  /** Latency of a single caller in milliseconds: median and 95th percentile. */
  readonly alone: readonly [number, number]
  readonly reads: readonly { readonly tool: string; readonly p50: number; readonly p95: number }[]
  /** Memory of the helper in MiB. */
  readonly helper: number
}

type Call = ToolCalls['call']

export async function measureBrain({ seconds, folder, many }: Plan): Promise<readonly BrainFigures[]> {
  const sizes = many >= 1_000_000 ? [10_000, 100_000] : [1_000, 10_000]
  const rows: BrainFigures[] = []
  for (const atoms of sizes) {
    const dataDir = folder()
    await seedBrain(dataDir, atoms)
    const gateway = await startGateway(dataDir)
    try {
      rows.push({ atoms, ...(await measureOne(gateway, atoms, seconds)) })
    } finally {
      await gateway.stop()
    }
  }
  return rows
}

async function measureOne(gateway: Server, atoms: number, seconds: number): Promise<Omit<BrainFigures, 'atoms'>> {
  await using calls = toolCalls(gateway, CALLERS)
  const { call } = calls
  const began = performance.now()
  await untilIndexed(call)
  const indexed = (performance.now() - began) / 1_000
  await commits(call, CALLERS, 1)
  const { perSecond } = await commits(call, CALLERS, seconds)
  const { times } = await commits(call, 1, seconds)
  const reads = await measureReads(call, atoms)
  return { indexed, perSecond, alone: [quantile(times, 0.5), quantile(times, 0.95)], reads, helper: helperMemory('git') }
}

/** The first call builds the index, and continues after its caller was told that it takes too long. */
async function untilIndexed(call: Call): Promise<void> {
  for (;;) {
    const answer = await call('brain_status', {}).catch((error: unknown) => error)
    if (!(answer instanceof Error)) return
    if (!answer.message.includes('CALL_TIMEOUT')) throw answer
  }
}

let made = 0
async function commits(call: Call, callers: number, seconds: number) {
  const times: number[] = []
  const began = performance.now()
  const one = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const n = made++
      const start = performance.now()
      await call('brain_commit', {
        kind: 'session',
        repo: `repo-${n % REPOS}`,
        slug: `bench-${n}`,
        topic: 'docs',
        content: `# Bench ${n}\n\n${'What was done and why. '.repeat(30)}`,
      })
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  return { times, perSecond: times.length / ((performance.now() - began) / 1_000) }
}

async function measureReads(call: Call, atoms: number) {
  const { commits } = (await call('brain_log', { limit: 200 })) as { commits: { sha: string }[] }
  const tools: readonly (readonly [string, (n: number) => object])[] = [
    ['brain_log', () => ({})],
    ['brain_diff', () => ({})],
    ['brain_delta', () => ({ since: commits[20]?.sha })],
    ['brain_blame', (n) => ({ code_sha: ((n * 37) % atoms).toString(16).padStart(40, '0') })],
    ['brain_search', (n) => ({ query: `${['invoice', 'runner', 'lease'][n % 3]} because of ${n * 13}` })],
    ['brain_entity', () => ({})],
    ['brain_timeline', (n) => ({ entity: `agent-${n % 40}` })],
  ]
  const rows = []
  for (const [tool, args] of tools) {
    const times: number[] = []
    for (let n = 0; n < READS; n++) {
      const start = performance.now()
      await call(tool, args(n))
      times.push(performance.now() - start)
    }
    rows.push({ tool, p50: quantile(times, 0.5), p95: quantile(times, 0.95) })
  }
  return rows
}

export function brainMarkdown(rows: readonly BrainFigures[]): string {
  const ms = (value: number): string => value.toFixed(1)
  const head = [
    'atoms',
    'index from nothing, s',
    `commits a second, ${CALLERS} callers`,
    'one caller, ms p50 / p95',
    'helper, MiB',
    ...(rows[0]?.reads.map(({ tool }) => `${tool}, ms p50 / p95`) ?? []),
  ]
  const lines = rows.map((row) => [
    row.atoms.toLocaleString('en'),
    ms(row.indexed),
    String(Math.round(row.perSecond)),
    `${ms(row.alone[0])} / ${ms(row.alone[1])}`,
    String(Math.round(row.helper)),
    ...row.reads.map(({ p50, p95 }) => `${ms(p50)} / ${ms(p95)}`),
  ])
  return [head, head.map(() => '--:'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
