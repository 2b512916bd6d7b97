import type { AgentReport } from '../rules/adapter.ts'
import type { End } from '../rules/end.ts'
import { readingOf, windowsOf } from '../rules/reading.ts'
import { tryGit } from './git.ts'
import { noteKept } from './note-kept.ts'
import type { RunRecord } from './record.ts'
import type { RunOrder } from './run-order.ts'
import { persist, refusalCode } from './service-error.ts'

export interface RunFacts {
  readonly order: RunOrder
  readonly record: RunRecord
  report: AgentReport
  /** True if the agent called models through the gateway, which charged each call. */
  isCharged: boolean
  exitCode: number | undefined
  diff: string
  tail: string
  /** The sentence that says where undelivered work is. */
  kept: string | undefined
}

const MAX_DIFF = 4_000_000
/** Time for which a report is repeated while the gateway does not answer. */
const REPORT_MS = 10_000
/** Limit of a request that sends megabytes, perhaps over a slow line. */
export const UPLOAD_MS = 60_000

/** Keeps the diff, the run and its usage. A report that fails does not change how the task ends. */
export async function reportRun(facts: RunFacts, end: End): Promise<void> {
  const { client, config, task, lane } = facts.order
  const { taskId, repo } = task
  const { record, report, exitCode, diff } = facts
  const startedAtMs = Date.parse(record.startedAt)
  const uploads = client.within(UPLOAD_MS)
  const send = (tool: string, args: object): Promise<unknown> =>
    persist(() => uploads.call(tool, args, `${record.runId}-${tool}-${'kind' in args ? args.kind : ''}`), Date.now() + REPORT_MS).catch(
      () => undefined,
    )
  const fault = faultOf(end)
  const usage = usageOf(facts)
  const now = Date.now()
  const reading = lane.account === undefined ? undefined : readingOf(lane.account, config.machine, windowsOf(report, now), now)
  await Promise.all([
    reading && send('account_usage_record', { readings: [reading] }),
    diff === ''
      ? undefined
      : send('artifacts_register', {
          taskId,
          repo,
          kind: 'diff',
          filename: `${record.runId}.diff`,
          contentType: 'text/x-diff',
          content: diff.slice(0, MAX_DIFF),
        }),
    facts.tail === ''
      ? undefined
      : send('artifacts_register', { taskId, repo, kind: 'build-log', filename: `${record.runId}.log`, content: facts.tail }),
    send('job_history_record', {
      repo,
      taskId,
      status: end.kind === 'delivered' ? 'done' : end.kind === 'failed' ? 'failed' : 'no-result',
      resultLine: (fault ?? report.text ?? '').split('\n')[0] || end.kind,
      ...(fault !== undefined && { errorExcerpt: [fault, facts.kept, facts.tail].filter(Boolean).join('\n') }),
      ...(exitCode !== undefined && { exitCode }),
      machine: config.machine,
      ...(report.model && { model: report.model }),
      logFile: `${config.machine}/${record.runId}`,
      ...(usage && { usage }),
      startedAtMs,
      durationSeconds: Math.max(0, (Date.now() - startedAtMs) / 1_000),
    }),
    send('traces_record', {
      taskId,
      name: `run ${record.agent}`,
      service: 'runner',
      startMs: startedAtMs,
      endMs: Date.now(),
      status: end.kind === 'failed' ? 'error' : 'ok',
      attributes: { runId: record.runId, machine: config.machine, lane: lane.name, session: report.sessionId, stop: report.stop },
      ...(fault !== undefined && { error: fault }),
    }),
  ])
}

const faultOf = (end: End): string | undefined =>
  end.kind === 'failed' ? `[${end.failure}] ${end.error}` : end.kind === 'delivered' ? end.lacks : end.reason

/**
 * Usage of the model, which counts towards budgets once for each run. For calls that the gateway charged the tokens are for the record
 * alone, and the price is left out: programs print that of a vendor.
 */
function usageOf({ order: { lane }, record, report: { model, provider, usage }, isCharged }: RunFacts): object | undefined {
  const { usd, ...tokens } = usage
  const told = isCharged || usd === undefined ? tokens : usage
  if (model === undefined || Object.keys(told).length === 0) return undefined
  const figures = Object.fromEntries(Object.entries(told).flatMap(([name, figure]) => figureOf(name, figure)))
  return {
    model: model.slice(0, 200),
    ...(provider && { provider: provider.slice(0, 200) }),
    ...figures,
    ...(isCharged && { charged: true }),
    agent: record.agent,
    ...(lane.account && { account: lane.account }),
  }
}

/** A figure of usage as the gateway takes it. One that no program can mean is left out, so that the run is recorded all the same. */
function figureOf(name: string, figure: number): [string, number][] {
  const whole = name === 'usd' ? figure : Math.round(figure)
  return whole >= 0 && whole <= (name === 'usd' ? MAX_USD : MAX_TOKENS) ? [[name, whole]] : []
}
const MAX_USD = 1_000_000
const MAX_TOKENS = 1_000_000_000_000

/**
 * Reports the end of the task to the gateway. A refusal means that another caller decides about the task now, so it is not
 * repeated.
 */
export async function reportEnd(facts: RunFacts, end: End): Promise<void> {
  if (end.kind === 'lost') return reportKeptWork(facts)
  const { client, config, task, repo } = facts.order
  const { taskId, claimId } = task
  const { report, record } = facts
  const until = Date.now() + config.leaseSeconds * 1_000
  const call = (tool: string, args: object): Promise<unknown> =>
    persist(() => client.call(tool, args, `${record.runId}-end-${tool}`), until)
  const stamps = {
    ...(report.model && { routedModel: report.model.slice(0, 200) }),
    ...(report.usage.outputTokens !== undefined && { outputTokens: Math.min(Math.round(report.usage.outputTokens), 1_000_000_000) }),
  }
  try {
    if (end.kind === 'delivered' && record.final) await call('tasks_update', { taskId, claimId, ...record.final, ...stamps })
    if (end.kind === 'returned') {
      // A place that stays occupied gives the task back many times, for the same reason.
      const reason = task.notes?.includes(end.reason) ? undefined : end.reason
      const notes = [task.notes, reason, facts.kept].filter(Boolean).join('\n\n').slice(-49_000)
      await call('tasks_update', {
        taskId,
        claimId,
        status: 'pending',
        pacingDefer: true,
        deferSeconds: end.deferSeconds,
        notes,
        ...stamps,
      })
    }
    if (end.kind === 'failed') {
      if (Object.keys(stamps).length > 0) await call('tasks_update', { taskId, claimId, ...stamps })
      const error = [faultOf(end), facts.kept].filter(Boolean).join('\n').slice(0, 19_000)
      await call('tasks_fail', { taskId, claimId, error })
    }
    if (end.kind === 'delivered' && repo.deliver === 'none' && record.tree)
      await tryGit(repo.path, 'branch', '--quiet', '-D', record.tree.branch)
  } catch (error) {
    if (refusalCode(error) === undefined) throw error
    await reportKeptWork(facts)
  }
}

/** The next run of the task goes on with the work of this one, though somebody else decides about the task now. */
async function reportKeptWork({ order: { client, config, task }, kept }: RunFacts): Promise<void> {
  const { machine, leaseSeconds } = config
  if (kept !== undefined) await noteKept(client, { taskId: task.taskId, machine, note: kept }, Date.now() + leaseSeconds * 1_000)
}
