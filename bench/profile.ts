import { readFileSync } from 'node:fs'
import type { Plan } from './plan.ts'
import { load, type Profiled, startProfiled } from './processes.ts'

/** Microseconds of the main thread per call, by the part of the process that used them. */
export interface CallCost {
  readonly total: number
  readonly parts: ReadonlyMap<Part, number>
}
export interface ProfileFigures {
  readonly bare: CallCost
  readonly gateway: CallCost
}

type Part = (typeof PARTS)[number]
const PARTS = [
  'system call that sends the answer',
  'HTTP and streams of Node.js',
  'Fastify',
  'garbage collection',
  'the gateway',
  'other',
] as const

const CONNECTIONS = 64
const CALLS = 60_000
const BODY = { repo: 'quiet' }

/** Measures where the main thread spends its time on one cheap read over REST, and on the same answer of a bare Fastify route. */
export async function measureProfile({ folder }: Pick<Plan, 'folder'>): Promise<ProfileFigures> {
  const bare = await costOf(await startProfiled('bare', folder()), '/')
  return { bare, gateway: await costOf(await startProfiled('gateway', folder()), '/api/tools/bench_peek') }
}

async function costOf(server: Profiled, path: string): Promise<CallCost> {
  const calls = (count: number) =>
    load({ port: server.port, connections: CONNECTIONS, steps: [{ path, body: BODY, expect: '"task":null', count }] })
  try {
    await calls(CALLS / 3)
    server.record()
    const before = server.cpu()
    await calls(CALLS)
    const total = ((server.cpu() - before) * 1_000) / CALLS
    return { total, parts: scaled(partsOf(JSON.parse(readFileSync(await server.recorded(), 'utf8'))), total) }
  } finally {
    await server.stop()
  }
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string } }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

function partsOf({ nodes, samples, timeDeltas }: CpuProfile): Map<Part, number> {
  const partOfNode = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const sums = new Map<Part, number>()
  for (const [i, id] of samples.entries()) {
    const part = partOfNode.get(id)
    if (part) sums.set(part, (sums.get(part) ?? 0) + (timeDeltas[i] ?? 0))
  }
  return sums
}

/** Undefined for time without work, and for the profiler's own. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): Part | undefined {
  if (functionName === '(idle)' || functionName === 'dispatch' || url.endsWith('/profiled.mjs')) return undefined
  if (functionName === 'writev' || functionName === 'writeUtf8String' || functionName === 'writeLatin1String') return PARTS[0]
  if (functionName === '(garbage collector)') return PARTS[3]
  if (url === '' || url.startsWith('node:')) return PARTS[1]
  if (/\/node_modules\/(?:fastify|find-my-way|secure-json-parse|toad-cache)\//.test(url)) return PARTS[2]
  return url.includes('/node_modules/') ? PARTS[5] : PARTS[4]
}

function scaled(sums: ReadonlyMap<Part, number>, total: number): Map<Part, number> {
  const sum = [...sums.values()].reduce((a, b) => a + b, 0)
  return new Map(PARTS.map((part) => [part, ((sums.get(part) ?? 0) / sum) * total]))
}

export function profileMarkdown({ bare, gateway }: ProfileFigures): string {
  const us = (value: number | undefined): string => (value ?? 0).toFixed(1)
  return [
    `## Main thread per call, ${CONNECTIONS} connections`,
    '',
    'CPU time of one cheap read over REST and of the bare route, in microseconds, split by a sampling profile. Each answer costs one system',
    'call, in both. The profiler slows both down, so the sums are for comparison with each other.',
    '',
    '| part | bare Fastify route | the gateway |',
    '| --- | --: | --: |',
    ...PARTS.map((part) => `| ${part} | ${us(bare.parts.get(part))} | ${us(gateway.parts.get(part))} |`),
    `| all | ${us(bare.total)} | ${us(gateway.total)} |`,
    '',
    `The bare route needs ${(bare.total / gateway.total).toFixed(2)} of the gateway's CPU time.`,
  ].join('\n')
}
