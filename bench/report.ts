import type { ClaimFigures } from './claims.ts'
import { FEW } from './claims.ts'
import { type EndpointFigures, endpointMarkdown } from './endpoint.ts'
import type { HandlerFigures, Stall } from './handlers.ts'
import type { ListFigures } from './lists.ts'
import type { Figures } from './load.ts'
import type { Spread } from './median.ts'
import { type MeterFigures, metersMarkdown } from './meters.ts'
import { type ModelFigures, modelsMarkdown } from './models.ts'
import type { Plan } from './plan.ts'
import { FEW_RECORDS, LINES, type RecordFigures } from './records.ts'
import type { ScheduleFigures } from './schedules.ts'
import type { SearchFigures } from './search.ts'
import type { StartFigures } from './start.ts'
import type { Transport, TransportFigures } from './transports.ts'
import { type UseFigures, useMarkdown } from './use.ts'

interface Measured {
  readonly machine: string
  readonly plan: Plan
  /** Appended 4 KiB pages made durable per second. */
  readonly syncs: number
  readonly transports: TransportFigures
  readonly claims: ClaimFigures
  readonly schedules: readonly ScheduleFigures[]
  readonly records: RecordFigures
  readonly handlers: HandlerFigures
  readonly meters: MeterFigures
  readonly models: ModelFigures
  readonly endpoint: EndpointFigures
  readonly use: UseFigures
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
const paired = (turns: Spread | undefined): string =>
  turns === undefined ? '' : `${ratio(turns.median)} (${ratio(turns.least)} to ${ratio(turns.most)})`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Returns the report of one run, ratios first, because they are comparable with another run. */
export function markdown(measured: Measured): string {
  const { machine, plan, syncs, transports, claims, schedules, records, handlers, meters, models, endpoint, use, start, tools } = measured
  const claimsWith = (pending: number, connections: number): ClaimFigures['claims'][number] | undefined =>
    claims.claims.find((one) => one.pending === pending && one.connections === connections)
  const claimed = (pending: number, connections: number): number => claimsWith(pending, connections)?.claims.perSecond ?? Number.NaN
  const [few, lots] = schedules as readonly [ScheduleFigures, ScheduleFigures]
  const names: Record<Transport, string> = {
    bare: 'bare Fastify route, JSON in and out',
    rest: 'the gateway over REST',
    mcp: 'the gateway over MCP, handshake protocol',
    stateless: 'the gateway over MCP, 2026-07-28',
    key: 'the gateway over REST, with an API key',
    session: 'the gateway over REST, with a session token',
    read: 'the gateway over REST, `tasks_next` in a repo without pending tasks',
    sdk: 'official MCP SDK as its stateless example has it, 189 tools',
    sdkShared: 'the same with all schemas made once',
  }

  return `# Benchmarks

Written by \`npm run bench -- --write\`. Everything stands in one run on one machine; each figure is the median of ${plan.rounds}
interleaved measurement${plan.rounds === 1 ? '' : 's'} of ${plan.seconds} s. Load and service share the machine.

${machine}

## Ratios

${table(
  ['what', 'ratio'],
  [
    ['REST call / bare Fastify route', paired(transports.ratio('rest', 'bare'))],
    ['MCP call / bare Fastify route', paired(transports.ratio('mcp', 'bare'))],
    ['MCP call of 2026-07-28 / bare Fastify route', paired(transports.ratio('stateless', 'bare'))],
    ['MCP call / official SDK as its stateless example has it', paired(transports.ratio('mcp', 'sdk'))],
    ['MCP call / official SDK with all schemas made once', paired(transports.ratio('mcp', 'sdkShared'))],
    ['MCP call of 2026-07-28 / official SDK as its stateless example has it', paired(transports.ratio('stateless', 'sdk'))],
    ['REST call that reads the store / bare Fastify route', paired(transports.ratio('read', 'bare'))],
    ['REST call with an API key / as local operator', paired(transports.ratio('key', 'rest'))],
    ['REST call with a session token / as local operator', paired(transports.ratio('session', 'rest'))],
    ['durable claims at 64 connections / bare Fastify route', paired(claimsWith(FEW, 64)?.ofBare)],
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
  (Object.keys(names) as Transport[]).map((transport) => [
    names[transport],
    whole(transports.figures[transport].perSecond),
    ms(transports.figures[transport].p50),
    ms(transports.figures[transport].p99),
  ]),
)}

## Durable claims

\`tasks_claim\` over REST; an answer means that the claim is on the disk. This disk makes ${whole(syncs)} single appended pages
durable per second. Right after each turn of claims the bare route had its own; it made ${whole(claims.bare.perSecond)} calls/s, p99 ${ms(claims.bare.p99)} ms.

${table(
  ['pending tasks', 'connections', 'claims/s', 'of the bare route’s', 'p50 ms', 'p99 ms'],
  claims.claims.map((one) => [
    whole(one.pending),
    String(one.connections),
    whole(one.claims.perSecond),
    paired(one.ofBare),
    ms(one.claims.p50),
    ms(one.claims.p99),
  ]),
)}

## Schedules

A tick looks for what is due, in one tenant. After a stop of an hour, in which each schedule was due sixty times, each is caught up
once.

${table(
  ['schedules', 'tick with nothing due, ms', `tick with ${few.due} due, ms`, 'runs after an hour’s stop'],
  schedules.map((one) => [whole(one.schedules), ms(one.idleTickMs), ms(one.dueTickMs), whole(one.caughtUp)]),
)}

${recordsMarkdown(records, plan)}
${handlersMarkdown(handlers)}
## Meters

${metersMarkdown(meters)}

## Models and use

${modelsMarkdown(models)}

${endpointMarkdown(endpoint)}

${useMarkdown(use)}

## Start

From spawning the process to the first 200 of \`/health\`: ${whole(start.startMs)} ms. Resident when idle: ${whole(start.idleMiB)} MiB.
Of the start, the dashboard and all its pages take ${start.pagesMs.toFixed(1)} ms of CPU.

${toolsMarkdown(tools)}`
}

export function recordsMarkdown({ writes, reads }: RecordFigures, { many }: Pick<Plan, 'many'>): string {
  const of = (records: number, read: string): Figures | undefined =>
    reads.find((one) => one.records === records && one.read === read)?.calls
  const names = {
    logs: '`logs_list`, 50 lines of one level',
    jobs: '`job_history_search`, the newest 50',
    task: '`job_history_search`, the runs of one task',
    repo: '`job_history_search`, the newest 50 of one repo, which has a tenth of all',
  }
  const perSecond = (records: number, read: string): number => of(records, read)?.perSecond ?? Number.NaN
  return `## Log lines and past runs, 64 connections

A line is answered when it is on the disk.

${table(
  ['what', 'calls/s', 'lines/s', 'lines/s / bare Fastify calls/s', 'p99 ms'],
  [
    ['bare Fastify route', whole(writes.bare.perSecond), '', '', ms(writes.bare.p99)],
    ...[['`logs_record`', writes.line, 1] as const, [`batches of ${LINES}`, writes.batch, LINES] as const].map(
      ([name, { perSecond, p99 }, lines]) => [
        name,
        whole(perSecond),
        whole(perSecond * lines),
        ratio((perSecond * lines) / writes.bare.perSecond),
        ms(p99),
      ],
    ),
  ],
)}

${table(
  ['what', `calls/s of ${whole(FEW_RECORDS)}`, `calls/s of ${whole(many)}`, 'ratio'],
  Object.entries(names).map(([read, name]) => [
    name,
    whole(perSecond(FEW_RECORDS, read)),
    whole(perSecond(many, read)),
    ratio(perSecond(many, read) / perSecond(FEW_RECORDS, read)),
  ]),
)}
`
}

export function handlersMarkdown({ turns: { direct, forwarded, own, proxied }, within, calm, stalls }: HandlerFigures): string {
  const names = { echo: 'a handler that works', tasks_next: '`tasks_next`, of the gateway' }
  const row = (what: string, { ms: took, of }: Stall): string[] => [what, ms(took), of]
  return `## Tools of tenants

One call after another, handler on the same machine, medians: ${ms(direct)} ms directly, ${ms(forwarded)} ms through a server of ten
lines that only forwards, ${ms(proxied)} ms through the gateway. A call of \`tasks_next\`, which reads the store, takes ${ms(own)} ms.

Begun within the gateway's process, a call takes ${ms(within.called)} ms, and ${ms(within.direct)} ms when it goes to the handler directly. The
difference, ${ms(within.called - within.direct)} ms, is what the gateway itself adds: the tenant's tools are looked up, the arguments checked, the call
signed and guarded, the answer read and the audit trail written. What a call takes beyond that is a second way from one process to another.

One tenant's calls over 4 connections, alone and while 64 calls of another tenant are with handlers that hang, drip, answer without
end or at the limit, or answer garbage. A stall is the longest time for which the service did nothing else.

${table(
  ['tool', 'p50 ms', 'p99 ms', 'stall ms', 'beside the noise: p50 ms', 'p99 ms', 'stall ms'],
  calm.map(({ tool, alone, beside }) => [names[tool], ...[alone, beside].flatMap(({ p50, p99, stallMs }) => [p50, p99, stallMs].map(ms))]),
)}

Schemas and arguments that are made to hold the service up: the longest stall, of each the shortest of several tries.

${table(['what', 'stall ms', 'of'], [row('nothing of the kind', stalls.none), row('registering', stalls.register), row('calling', stalls.call)])}
`
}

/** Reports figures that are the same on every machine. */
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
