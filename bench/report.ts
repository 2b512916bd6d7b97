import type { ClaimFigures } from './claims.ts'
import { FEW } from './claims.ts'
import type { Face } from './faces.ts'
import type { ListFigures } from './lists.ts'
import type { Figures } from './load.ts'
import type { Plan } from './run.ts'
import type { ScheduleFigures } from './schedules.ts'
import type { SearchFigures } from './search.ts'
import type { StartFigures } from './start.ts'

interface Measured {
  readonly machine: string
  readonly plan: Plan
  /** Appended 4 KiB pages made durable per second. */
  readonly syncs: number
  readonly faces: Record<Face, Figures>
  readonly claims: readonly ClaimFigures[]
  readonly schedules: readonly ScheduleFigures[]
  readonly start: StartFigures
  readonly tools: ToolFigures
}

export interface ToolFigures {
  readonly lists: readonly ListFigures[]
  readonly search: SearchFigures
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0)
const ratio = (value: number): string => value.toFixed(2)
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** The report of one run, ratios first: they are what compares with another run. */
export function markdown({ machine, plan, syncs, faces, claims, schedules, start, tools }: Measured): string {
  const claimed = (pending: number, connections: number): number =>
    claims.find((one) => one.pending === pending && one.connections === connections)?.claims.perSecond ?? Number.NaN
  const [few, lots] = schedules as readonly [ScheduleFigures, ScheduleFigures]
  const names: Record<Face, string> = {
    bare: 'bare Fastify route, JSON in and out',
    rest: 'the gateway over REST',
    mcp: 'the gateway over MCP, handshake era',
    stateless: 'the gateway over MCP, 2026-07-28',
    key: 'the gateway over REST, with an API key',
    session: 'the gateway over REST, with a session token',
    read: 'the gateway over REST, `tasks_next` in a repo without pending tasks',
    sdk: 'official MCP SDK, a server per request, 189 tools',
  }

  return `# Benchmarks

Written by \`npm run bench -- --write\`. Everything stands in one run on one machine; each figure is the median of ${plan.rounds}
interleaved measurement${plan.rounds === 1 ? '' : 's'} of ${plan.seconds} s. Load and service share the machine.

${machine}

## Ratios

${table(
  ['what', 'ratio'],
  [
    ['REST call / bare Fastify route', ratio(faces.rest.perSecond / faces.bare.perSecond)],
    ['MCP call / bare Fastify route', ratio(faces.mcp.perSecond / faces.bare.perSecond)],
    ['MCP call of 2026-07-28 / bare Fastify route', ratio(faces.stateless.perSecond / faces.bare.perSecond)],
    ['MCP call / official SDK, stateless', ratio(faces.mcp.perSecond / faces.sdk.perSecond)],
    ['MCP call of 2026-07-28 / official SDK, stateless', ratio(faces.stateless.perSecond / faces.sdk.perSecond)],
    ['REST call that reads the store / bare Fastify route', ratio(faces.read.perSecond / faces.bare.perSecond)],
    ['REST call with an API key / as local operator', ratio(faces.key.perSecond / faces.rest.perSecond)],
    ['REST call with a session token / as local operator', ratio(faces.session.perSecond / faces.rest.perSecond)],
    ['durable claims at 64 connections / bare Fastify route', ratio(claimed(FEW, 64) / faces.bare.perSecond)],
    [`claims with ${whole(plan.many)} pending / with ${whole(FEW)}, 64 connections`, ratio(claimed(plan.many, 64) / claimed(FEW, 64))],
    [`claims with ${whole(plan.many)} pending / with ${whole(FEW)}, 1 connection`, ratio(claimed(plan.many, 1) / claimed(FEW, 1))],
    [`tick with ${whole(lots.schedules)} schedules / with ${whole(few.schedules)}, nothing due`, ratio(lots.idleTickMs / few.idleTickMs)],
    [`tick with ${whole(lots.schedules)} schedules / with ${whole(few.schedules)}, ${few.due} due`, ratio(lots.dueTickMs / few.dueTickMs)],
  ],
)}

## One cheap read, 64 connections

The tool answers from memory, as the compared servers do; \`tasks_next\` asks the store twice (the ready, then the delayed).

${table(
  ['server', 'calls/s', 'p50 ms', 'p99 ms'],
  (Object.keys(names) as Face[]).map((face) => [names[face], whole(faces[face].perSecond), ms(faces[face].p50), ms(faces[face].p99)]),
)}

## Durable claims

\`tasks_claim\` over REST; an answer means that the claim is on the disk. This disk makes ${whole(syncs)} single appended pages
durable per second.

${table(
  ['pending tasks', 'connections', 'claims/s', 'p50 ms', 'p99 ms'],
  claims.map((one) => [whole(one.pending), String(one.connections), whole(one.claims.perSecond), ms(one.claims.p50), ms(one.claims.p99)]),
)}

## Schedules

A tick looks for what is due, in one tenant. After a stop of an hour, in which each schedule was due sixty times, each is caught up
once.

${table(
  ['schedules', 'tick with nothing due, ms', `tick with ${few.due} due, ms`, 'runs after an hour’s stop'],
  schedules.map((one) => [whole(one.schedules), ms(one.idleTickMs), ms(one.dueTickMs), whole(one.caughtUp)]),
)}

## Start

From spawning the process to the first 200 of \`/health\`: ${whole(start.startMs)} ms. Resident when idle: ${whole(start.idleMiB)} MiB.

${toolsMarkdown(tools)}`
}

/** The same on every machine. */
export function toolsMarkdown({ lists, search: { questions, tools, quality } }: ToolFigures): string {
  return `## Lists of tools

What \`tools/list\` costs an agent, estimated rather too high than too low.

${table(
  ['address', 'tools', 'tokens'],
  lists.map((list) => [`\`${list.address}\``, whole(list.tools), whole(list.tokens)]),
)}

## Finding a tool

\`tools_search\` among ${tools} tools, asked ${questions} questions: the right one is among the first five for
${(quality.recallAt5 * 100).toFixed(1)} %; mean reciprocal rank ${quality.meanReciprocalRank.toFixed(2)}.
`
}
