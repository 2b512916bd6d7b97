import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { helperMemory } from './helper-memory.ts'
import { median, quantile } from './median.ts'
import type { Plan } from './plan.ts'
import { run, startGateway } from './processes.ts'
import { contentOf, fileOf, seedRepo } from './seed-repo.ts'
import { type ToolCalls, toolCalls } from './tool-calls.ts'

const QUEUE = 'queue'
/** Milliseconds between two claims: a steady load that leaves the machine time for the graph. */
const CLAIM_EVERY = 10
const TIMES = 300
const CHANGED = 60

export interface GraphFigures {
  readonly files: number
  /** Seconds until the first answer about a new repo, and about a stored one after a restart. */
  readonly first: number
  readonly again: number
  /** Milliseconds that a claim took at p99, before and during the first build of the graph. */
  readonly claims: readonly [alone: number, beside: number]
  /** Milliseconds from a write of a file to the answer that has it: median, 95th percentile, maximum. */
  readonly changed: readonly [number, number, number]
  readonly questions: readonly { readonly asked: string; readonly p50: number; readonly p95: number }[]
  /** Memory of the helper in MiB. */
  readonly helper: number
}

type Call = ToolCalls['call']

/** Measures the code graph of a repo of ten thousand files: build, updates, queries. */
export async function measureGraph({ rounds, many, folder }: Plan): Promise<GraphFigures> {
  const files = many >= 1_000_000 ? 10_000 : 1_000
  const repo = folder()
  seedRepo(repo, files)
  const all: GraphFigures[] = []
  for (let round = 0; round < rounds; round++) all.push(await measureOnce(repo, files, folder()))
  const each = (of: (one: GraphFigures) => number): number => median(all.map(of))
  return {
    files,
    first: each(({ first }) => first),
    again: each(({ again }) => again),
    claims: [each(({ claims }) => claims[0]), each(({ claims }) => claims[1])],
    changed: [each(({ changed }) => changed[0]), each(({ changed }) => changed[1]), each(({ changed }) => changed[2])],
    questions: (all[0]?.questions ?? []).map(({ asked }, at) => ({
      asked,
      p50: each(({ questions }) => questions[at]?.p50 ?? Number.NaN),
      p95: each(({ questions }) => questions[at]?.p95 ?? Number.NaN),
    })),
    helper: each(({ helper }) => helper),
  }
}

async function measureOnce(repo: string, files: number, dataDir: string): Promise<GraphFigures> {
  await run('./seed.ts', [dataDir, QUEUE, '20000'])
  let gateway = await startGateway(dataDir)
  try {
    const measured = await usingCalls(gateway, async (call) => {
      const ask = (tool: string, args: object) => call(tool, { repo, ...args })
      await claimsWhile(call, pause(2_000))
      const alone = await claimsWhile(call, pause(8_000))
      const began = performance.now()
      const asked = ask('get_neighbors', { node: fileOf(0) }).then(() => (performance.now() - began) / 1_000)
      const beside = await claimsWhile(call, asked)
      const changed = await changes(ask, repo, files)
      return {
        first: await asked,
        claims: [quantile(alone, 0.99), quantile(beside, 0.99)] as const,
        changed: [quantile(changed, 0.5), quantile(changed, 0.95), Math.max(...changed)] as const,
        questions: await questions(ask, files),
        helper: helperMemory('code-graph'),
      }
    })
    await gateway.stop()
    gateway = await startGateway(dataDir)
    const again = await usingCalls(gateway, async (call) => {
      const began = performance.now()
      await call('get_neighbors', { repo, node: fileOf(0) })
      return (performance.now() - began) / 1_000
    })
    return { files, again, ...measured }
  } finally {
    await gateway.stop()
  }
}

async function usingCalls<T>(gateway: { readonly port: number }, work: (call: Call) => Promise<T>): Promise<T> {
  await using calls = toolCalls(gateway, 32)
  return await work(calls.call)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Claims at a steady pace until something is over, and returns the duration of each. A late claim does not delay its start time.
 */
async function claimsWhile(call: Call, over: Promise<unknown>): Promise<number[]> {
  const running: Promise<number>[] = []
  let isOver = false
  void over.finally(() => (isOver = true)).catch(() => undefined)
  for (let start = performance.now(); !isOver; start += CLAIM_EVERY) {
    const claimed = call('tasks_claim', { repo: QUEUE, claimedBy: 'bench' }).then(() => performance.now() - start)
    // The failure is reported below; one before the others are over is not an unhandled rejection.
    claimed.catch(() => undefined)
    running.push(claimed)
    await pause(Math.max(0, start + CLAIM_EVERY - performance.now()))
  }
  return Promise.all(running)
}

/** A file is changed, added, deleted: each time the next answer must include it. */
async function changes(ask: Call, repo: string, files: number): Promise<number[]> {
  const times: number[] = []
  const until = async (write: () => void, node: string, has: string, wanted: boolean) => {
    const start = performance.now()
    write()
    const { neighbors } = (await ask('get_neighbors', { node, direction: 'out', edgeTypes: ['import'] })) as {
      neighbors: { node: string }[]
    }
    times.push(performance.now() - start)
    if (neighbors.some((one) => one.node === has) !== wanted) throw new Error(`the graph is not right about ${node}`)
  }
  for (let round = 0; round < CHANGED; round += 3) {
    const node = fileOf((round * 997) % files)
    const added = `${node.slice(0, node.lastIndexOf('/'))}/added-${round}.ts`
    await until(() => appendFileSync(join(repo, node), `import './added-${round}'\n`), node, added, false)
    await until(() => writeFileSync(join(repo, added), 'export const one = 1\n'), node, added, true)
    await until(() => rmSync(join(repo, added)), node, added, false)
    writeFileSync(join(repo, node), contentOf((round * 997) % files, files))
  }
  return times
}

async function questions(ask: Call, files: number) {
  const any = (n: number): number => {
    const at = (n * 7_919) % files
    return at - (at % 5)
  }
  const kinds: readonly (readonly [asked: string, tool: string, args: (n: number) => object])[] = [
    ['`get_pr_impact` of two files', 'get_pr_impact', (n) => ({ files: [fileOf(any(n)), fileOf(any(n + 1))] })],
    ['`get_neighbors` of a file', 'get_neighbors', (n) => ({ node: fileOf(any(n)), direction: 'both' })],
    ['`get_neighbors` of a symbol by its name', 'get_neighbors', (n) => ({ node: `run${any(n)}`, direction: 'both' })],
    ['`shortest_path`', 'shortest_path', (n) => ({ src: fileOf(any(n)), dst: fileOf(any(3 * n + 1)) })],
    [
      '`triage_prs` of ten',
      'triage_prs',
      (n) => ({ prs: Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, files: [fileOf(any(10 * n + at))] })) }),
    ],
  ]
  const rows = []
  for (const [asked, tool, args] of kinds) {
    const times: number[] = []
    for (let n = 0; n < TIMES; n++) {
      const start = performance.now()
      await ask(tool, args(n))
      times.push(performance.now() - start)
    }
    rows.push({ asked, p50: quantile(times, 0.5), p95: quantile(times, 0.95) })
  }
  return rows
}

export function graphMarkdown({ files, first, again, claims, changed, questions, helper }: GraphFigures): string {
  const ms = (value: number): string => value.toFixed(1)
  return [
    `${files.toLocaleString('en')} files. The first answer took ${ms(first)} s, the first after a restart ${ms(again)} s; the helper then has ${Math.round(helper)} MiB.`,
    `A claim took ${ms(claims[0])} ms at p99 before, and ${ms(claims[1])} ms while the graph was made: ${(claims[1] / claims[0]).toFixed(2)} times.`,
    `A changed, added or deleted file was in the answer after ${ms(changed[0])} ms at p50, ${ms(changed[1])} at p95, ${ms(changed[2])} at most.`,
    '',
    '| question | p50 ms | p95 ms |',
    '| --- | --: | --: |',
    ...questions.map(({ asked, p50, p95 }) => `| ${asked} | ${ms(p50)} | ${ms(p95)} |`),
  ].join('\n')
}
