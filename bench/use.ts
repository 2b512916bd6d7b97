import { fakeContext } from '@gateway/testing'
import { Meter } from '../plugins/usage/src/operations/meter.ts'
import { Tallies } from '../plugins/usage/src/services/tallies.ts'
import { median, medians } from './median.ts'
import type { Plan } from './plan.ts'
import { startGateway } from './processes.ts'

const BUCKETS = 5_000
const CALLS = 100_000

export interface UseFigures {
  /** Cost of counting one call, µs. */
  readonly countedUs: number
  /** `account_usage_record` of 5,000 buckets over REST, ms: the first time, all of it again, and each of them changed. */
  readonly recorded: { readonly first: number; readonly again: number; readonly changed: number }
}

export async function measureUse({ rounds, folder }: Pick<Plan, 'rounds' | 'folder'>): Promise<UseFigures> {
  const counted = Array.from({ length: rounds }, measureCounted)
  const recorded: UseFigures['recorded'][] = []
  for (let round = 0; round < rounds; round++) recorded.push(await measureRecorded(folder()))
  return { countedUs: median(counted), recorded: medians(recorded) }
}

/** Counts the calls of a busy hour, of some members, tools and repos. */
function measureCounted(): number {
  const ctx = fakeContext()
  const config = { metering: true, flushSeconds: 300, maxMembers: 500, maxRepos: 500, keepHoursDays: 35, keepDays: 400 }
  const meter = new Meter({ counts: Object.assign(async () => [], { of: () => ({}) as never }), config, tallies: new Tallies() }, ctx)
  const calls = Array.from({ length: 1_000 }, (_, i) => ({
    tool: `tool_${i % 189}`,
    kind: 'tool' as const,
    tenantId: `tenant-${i % 10}`,
    principal: { ...ctx.principal, id: `member-${i % 40}` },
    via: 'mcp' as const,
    outcome: 'ok',
    durationMs: 1,
    args: { repo: `repo-${i % 30}` },
  }))
  const began = performance.now()
  for (let i = 0; i < CALLS; i++) meter.observe(calls[i % calls.length] as (typeof calls)[0])
  return ((performance.now() - began) * 1_000) / CALLS
}

async function measureRecorded(dataDir: string): Promise<UseFigures['recorded']> {
  const gateway = await startGateway(dataDir)
  const hour = (ago: number): string => new Date(Date.now() - ago * 3_600_000).toISOString()
  const bodies = [0, 0, 1].map((more) => {
    const buckets = Array.from({ length: BUCKETS }, (_, i) => ({
      account: `account-${i % 5}`,
      host: `host-${i % 7}`,
      hour: hour(i % 160),
      model: `model-${i}`,
      input: i,
      output: i + more,
      cacheCreate: i,
      cacheRead: i,
    }))
    return JSON.stringify({ buckets })
  })
  try {
    const took: number[] = []
    for (const body of bodies) took.push(await timed(`http://127.0.0.1:${gateway.port}/api/tools/account_usage_record`, body))
    const [first = Number.NaN, again = Number.NaN, changed = Number.NaN] = took
    return { first, again, changed }
  } finally {
    await gateway.stop()
  }
}

async function timed(url: string, body: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.arrayBuffer()
  return performance.now() - began
}

export const useMarkdown = ({ countedUs, recorded: { first, again, changed } }: UseFigures): string =>
  `Counting the use of one call takes ${countedUs.toFixed(1)} µs. \`account_usage_record\` of ${BUCKETS.toLocaleString('en')} buckets takes ${first.toFixed(0)} ms, ${again.toFixed(0)} ms when all of them are sent again, ${changed.toFixed(0)} ms when each has changed.`
