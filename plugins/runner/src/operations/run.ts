import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentReport, endedWith, kept, type Order } from '../rules/adapter.ts'
import { adapters } from '../rules/adapters.ts'
import { type End, type Ended, endOf, endOfTaken, type FailureClass } from '../rules/end.ts'
import { allowedEnv, redacted, secretsOf } from '../rules/environment.ts'
import { modelEnv, type RunAccess } from '../rules/model-env.ts'
import { promptOf } from '../rules/prompt.ts'
import { withRetry } from '../rules/reading.ts'
import { secondsUntilFree } from '../rules/taken.ts'
import type { Agent, Task } from '../schema.ts'
import { type AgentKey, issueAgentKey, revokeAgentKey, writeAccess } from './agent-key.ts'
import { bootContext } from './boot-context.ts'
import { callsGateway } from './calls-gateway.ts'
import { codexWindows } from './codex-windows.ts'
import { deliver } from './deliver.ts'
import { makeGeminiHome } from './gemini-home.ts'
import { AUTHOR, hasIdentity } from './git.ts'
import { extendLease, extensionMs, holdClaim } from './hold-claim.ts'
import { keepRun } from './keep-run.ts'
import { LogLines } from './log-lines.ts'
import { runCommand } from './processes.ts'
import { readBackground } from './read-background.ts'
import { nameOf, type RunRecord, removeRecord, runFolder, writeRecord } from './record.ts'
import { leaveToRecovery } from './recover.ts'
import { type RunFacts, reportEnd, reportRun, UPLOAD_MS } from './report.ts'
import type { RunOrder } from './run-order.ts'
import { persist } from './service-error.ts'
import {
  addWorktree,
  branchOf,
  changedPaths,
  commitLeftovers,
  diffOf,
  dropRescued,
  removeLocks,
  removeWorktree,
  rescue,
} from './worktree.ts'

/** Failure of one step, with the class that the gateway is told. */
class StepFailed extends Error {
  readonly failure: FailureClass
  constructor(failure: FailureClass, message: string) {
    super(message)
    this.failure = failure
  }
}

const TAIL_CHARACTERS = 6_000

/** Works on a claimed task to its end. Nothing but the branch of delivered work, or a rescue branch, is left on the machine. */
export async function performRun(order: RunOrder): Promise<Ended> {
  const { client, config, task, stopper } = order
  const record: RunRecord = {
    runId: `run-${randomUUID()}`,
    runner: order.runner,
    lane: order.lane.name,
    agent: order.agentName,
    taskId: task.taskId,
    claimId: task.claimId,
    title: task.title,
    repo: order.repo.name,
    startedAt: new Date().toISOString(),
    phase: 'claimed',
  }
  const facts: RunFacts = {
    order,
    record,
    report: { usage: {} },
    isCharged: false,
    exitCode: undefined,
    diff: '',
    tail: '',
    kept: undefined,
  }
  const fault = await writeRecord(config.stateDir, record).then(
    () => undefined,
    (error: Error) => error,
  )
  if (fault) return unwritten(facts, fault)
  const agent = config.agents[order.agentName] as Agent
  const key = await issueAgentKey(client, order.agentUrl, task, order.agentName).catch((error: Error) => error)
  const secrets = secretsOf(order.env, [...adapters[agent.adapter].env, ...(agent.env ?? []), ...config.env])
  if ('apiKey' in key) secrets.push(key.apiKey)
  const logs = new LogLines(client.within(UPLOAD_MS), task.taskId, config.limits.logLines, secrets)
  if (key instanceof Error) logs.add(`The agent has no key of the gateway: ${key.message}`, 'runner', 'warn')
  const run = {
    ...order,
    agent,
    record,
    logs,
    secrets,
    key: key instanceof Error ? undefined : key,
    gitEnv: await gitEnv(order),
    tail: '',
    step: '',
  }
  const held = new AbortController()
  const { taskId, claimId } = task
  const holding = holdClaim(
    {
      client: client.within(extensionMs(config)),
      taskId,
      claimId,
      leaseSeconds: config.leaseSeconds,
      stopper,
      ...(order.extended && { extended: order.extended }),
    },
    held.signal,
  )
  try {
    const end = await steps(run, facts)
    facts.tail = run.tail.slice(-TAIL_CHARACTERS)
    await run.logs.end()
    const rescued = end.kind !== 'delivered' && record.tree ? await rescue(record.tree, nameOf(record)) : {}
    facts.kept = rescued.note
    await Promise.all([reportRun(facts, end), keepRun(facts, end, end.kind === 'delivered' ? record.tree?.branch : rescued.branch)])
    await reportEnd(facts, end)
    if (rescued.waits) leaveToRecovery(record.runId)
    else await removeRecord(config.stateDir, record.runId)
    return { ...end, ...(rescued.note !== undefined && { kept: rescued.note }) }
  } catch (error) {
    // The gateway could not be reached, so the next recovery reports the end.
    leaveToRecovery(record.runId)
    throw error
  } finally {
    held.abort()
    await holding
    await run.logs.end()
  }
}

/** A run that cannot be written down does not begin, since a crash would leave it behind. */
async function unwritten(facts: RunFacts, { message }: Error): Promise<End> {
  const { config, task } = facts.order
  const taken = { reason: `The folder of the runner cannot be written: ${message.split(',')[0]}.`, isShared: true }
  const end = { kind: 'returned', reason: taken.reason, deferSeconds: secondsUntilFree(task.pacingDeferCount ?? 0), taken } as const
  await reportEnd(facts, end)
  await removeRecord(config.stateDir, facts.record.runId).catch(() => undefined)
  return end
}

interface Run extends RunOrder {
  readonly agent: Agent
  readonly record: RunRecord
  readonly logs: LogLines
  readonly secrets: readonly string[]
  readonly key: AgentKey | undefined
  readonly gitEnv: Readonly<Record<string, string>>
  tail: string
  step: string
}

async function steps(run: Run, facts: RunFacts): Promise<End> {
  const { config, stopper, record, repo, task } = run
  try {
    const folder = runFolder(config.stateDir, record.runId)
    await prepare(run, folder)
    Object.assign(facts, await runAgent(run, folder))
    const { report } = facts
    await readTask(run)
    const tree = record.tree as NonNullable<RunRecord['tree']>
    await removeLocks(tree)
    await commitLeftovers(tree, task.title)
    facts.diff = await diffOf(tree)
    const early = endOf(stopper.reason, report)
    if (early) return early
    const paths = await changedPaths(tree)
    if (repo.check !== undefined && paths.length > 0) await runCheck(run, repo.check)
    const halted = endOf(stopper.reason, report)
    if (halted) return halted
    await enter(run, 'deliver')
    await fence(run)
    const delivered = await deliver(run, paths, report).catch((error: Error) => {
      throw new StepFailed('deliver', error.message)
    })
    const { final, lacks } = delivered
    record.final = final
    await enter(run, 'delivered')
    await removeWorktree(tree)
    if (repo.deliver !== 'none') await dropRescued(tree, task.taskId)
    return { kind: 'delivered', ...(lacks !== undefined && { lacks }) }
  } catch (error) {
    const halted = endOf(stopper.reason, { usage: {} })
    if (halted) return halted
    // The agent may have failed for reasons of its own, so after it the faults of the runner alone count.
    const isOwn = !(error instanceof StepFailed) || error.failure === 'setup'
    const taken = isOwn ? endOfTaken(error, run.task.pacingDeferCount ?? 0) : undefined
    if (taken) {
      run.logs.add((error as Error).message, 'runner', 'warn')
      return taken
    }
    if (error instanceof StepFailed) return { kind: 'failed', failure: error.failure, error: error.message }
    return {
      kind: 'failed',
      failure: record.phase === 'claimed' || record.phase === 'setup' ? 'setup' : 'agent',
      error: (error as Error).message,
    }
  }
}

/** The lease is the fence: work of a lost claim is not delivered. A gateway that does not answer is waited for. */
async function fence({ client, config: { leaseSeconds }, task: { taskId, claimId }, stopper }: Run): Promise<void> {
  const extend = (): Promise<object> => extendLease({ client: client.within(extensionMs({ leaseSeconds })), taskId, claimId, leaseSeconds })
  await persist(extend, Number.POSITIVE_INFINITY, stopper.signal).catch((error: Error) => {
    stopper.stop('claim', error.message)
    throw error
  })
}

/** The agent may have added to the notes of its task, and a pull request may have become the task's. */
async function readTask({ client, task }: Run): Promise<void> {
  const read = (await client.get(`/api/tasks/${encodeURIComponent(task.taskId)}`).catch(() => undefined)) as { task: Task } | undefined
  if (read?.task.notes !== undefined) task.notes = read.task.notes
  if (read?.task.prUrl !== undefined) task.prUrl = read.task.prUrl
}

async function enter({ config, record }: Run, phase: RunRecord['phase']): Promise<void> {
  record.phase = phase
  await writeRecord(config.stateDir, record)
}

async function prepare(run: Run, folder: string): Promise<void> {
  const { client, repo, task, record } = run
  const context = run.key && (await bootContext(run.key, task))
  const path = join(folder, 'worktree')
  record.tree = { repo: repo.path, path, branch: branchOf(task), base: '', start: '' }
  await enter(run, 'setup')
  record.tree = await addWorktree(repo, task, path).catch((error: Error) => {
    throw new StepFailed('setup', error.message)
  })
  await enter(run, 'setup')
  const { branch, rescued } = record.tree
  const background = await readBackground(client, task)
  const material = { branch, rescued: rescued?.branch, context, check: repo.check, background }
  await writeFile(join(folder, 'prompt.md'), promptOf(task, material))
  if (repo.setup === undefined) return
  const code = await command(run, ['sh', '-c', repo.setup], { name: 'setup', limit: 'setupMinutes', input: '/dev/null', credentials: [] })
  if (code !== 0) throw new StepFailed('setup', `\`${repo.setup}\` ${withOutput(`ended with exit code ${code}`, run.step)}`)
}

async function runAgent(run: Run, folder: string): Promise<Pick<RunFacts, 'report' | 'isCharged'> & { readonly exitCode: number }> {
  const { agent, config, task, repo } = run
  await enter(run, 'agent')
  const adapter = adapters[agent.adapter]
  const credentials = [...adapter.env, ...(agent.env ?? [])]
  const visible = allowedEnv(run.env, [...config.env, ...credentials], {})
  const reader = adapter.reader()
  const files = { result: join(folder, 'result'), message: join(folder, 'message') }
  const gateway = run.key && (await writeAccess(run.key, folder))
  if (agent.adapter === 'gemini') await makeGeminiHome(folder, run.key, run.env)
  const commandOrder: Order = {
    task,
    agent,
    limits: config.limits,
    sessionId: randomUUID(),
    worktree: join(folder, 'worktree'),
    folder,
    resultFile: files.result,
    messageFile: files.message,
    ...(gateway && { gateway }),
  }
  const places = { worktree: commandOrder.worktree, gatewayUrls: [run.client.url, run.agentUrl] }
  const isCharged = await callsGateway(agent, visible, places)
  run.logs.add(`${run.agentName} begins in ${repo.name}.`, 'runner')
  const agentCommand = {
    name: 'agent',
    limit: 'minutes',
    input: join(folder, 'prompt.md'),
    credentials,
    own: { GATEWAY_RESULT_FILE: files.result, ...modelEnv(visible, accessOf(run)), ...gateway?.env, ...adapter.ownEnv?.(commandOrder) },
    read: (line: string) => {
      reader.line(line)
      return reader.shown(line)
    },
  } satisfies CommandLimits
  let exitCode: number
  try {
    exitCode = await command(run, adapter.command(commandOrder), agentCommand)
  } finally {
    if (gateway) await revokeAgentKey(run.client, task)
  }
  const [result, message] = await Promise.all([files.result, files.message].map((file) => readFile(file, 'utf8').catch(() => undefined)))
  const raw = reader.report({ ...(result !== undefined && { result }), ...(message !== undefined && { message }) }, exitCode)
  if (agent.adapter === 'codex' && run.lane.account !== undefined) {
    const place = { env: run.env, sessionId: raw.sessionId, startedAt: new Date(run.record.startedAt) }
    raw.windows = (await codexWindows(place).catch(() => undefined)) ?? {}
  }
  // A program that fails before it works, because it is not installed for example, gives its reason on another stream.
  if (raw.error === endedWith(exitCode)) raw.error = kept(withOutput(raw.error, run.step))
  const report = { ...withRetry(raw, Date.now()), ...withoutSecrets(raw, run.secrets) }
  return {
    report: { ...(agent.model && { model: agent.model }), ...(agent.provider && { provider: agent.provider }), ...report },
    isCharged,
    exitCode,
  }
}

const accessOf = ({ client, env, key }: Run): RunAccess => ({ gatewayUrl: client.url, runnerKey: env.GATEWAY_API_KEY, own: key })

async function runCheck(run: Run, check: string): Promise<void> {
  await enter(run, 'check')
  run.logs.add(`check: ${check}`, 'runner')
  const code = await command(run, ['sh', '-c', check], { name: 'check', limit: 'checkMinutes', input: '/dev/null', credentials: [] })
  if (code !== 0) throw new StepFailed('check', `\`${check}\` ${withOutput(`ended with exit code ${code}`, run.step)}`)
}

/**
 * Git asks nothing, and starts no maintenance in the background: a run that is killed in the middle of it would leave locks that hold
 * up the whole clone.
 */
const GIT_SETTINGS = { 'gc.auto': '0', 'maintenance.auto': 'false' } as const

/** Without an author git would refuse each commit of an agent. */
async function gitEnv({ config, env, repo }: RunOrder): Promise<Record<string, string>> {
  const named = await hasIdentity(repo.path, allowedEnv(env, config.env, {}))
  const settings = Object.entries({ ...GIT_SETTINGS, ...(named ? {} : AUTHOR) })
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) }
}

interface CommandLimits {
  readonly name: 'agent' | 'setup' | 'check'
  readonly limit: 'minutes' | 'setupMinutes' | 'checkMinutes'
  readonly input: string
  readonly credentials: readonly string[]
  readonly own?: Readonly<Record<string, string>>
  readonly read?: (line: string) => string | undefined
}

async function command(
  run: Run,
  argv: readonly string[],
  { name, limit, input, credentials, own = {}, read }: CommandLimits,
): Promise<number> {
  const { config, record, stopper, logs, task, env, secrets } = run
  const minutes = config.limits[limit]
  const late = `The ${name} ran for longer than limits.${limit} (${minutes}).`
  const timer = setTimeout(() => stopper.stop('timeout', late), minutes * 60_000)
  let recorded: Promise<void> = Promise.resolve()
  run.step = ''
  try {
    return await runCommand({
      argv,
      cwd: (record.tree as NonNullable<RunRecord['tree']>).path,
      env: allowedEnv(env, [...config.env, ...credentials], { ...own, GATEWAY_TASK_ID: task.taskId, ...run.gitEnv }),
      input,
      runId: record.runId,
      sandbox: config.sandbox,
      signal: stopper.signal,
      onStart: (group) => {
        record.group = group
        recorded = writeRecord(config.stateDir, record).catch(() => undefined)
      },
      onLine: (text, stream) => {
        const said = stream === 'stdout' && read ? read(text) : text
        if (said === undefined) return
        const shown = redacted(said, secrets)
        run.tail = withLine(run.tail, shown)
        run.step = withLine(run.step, shown)
        logs.add(shown)
      },
    })
  } finally {
    clearTimeout(timer)
    await recorded
  }
}

/** Adds a line to the end of a text that keeps its last part. It is cut seldom, so that millions of short lines cost little. */
function withLine(tail: string, line: string): string {
  const longer = `${tail}${line}\n`
  return longer.length > 2 * TAIL_CHARACTERS ? longer.slice(-TAIL_CHARACTERS) : longer
}

const withoutSecrets = ({ text, error }: AgentReport, secrets: readonly string[]): Pick<AgentReport, 'text' | 'error'> => ({
  ...(text !== undefined && { text: redacted(text, secrets) }),
  ...(error !== undefined && { error: redacted(error, secrets) }),
})

/** The sentence, with the last lines of output if there are any. */
function withOutput(sentence: string, output: string): string {
  const lines = output.trimEnd()
  return lines === '' ? sentence : `${sentence}: ${lines.split('\n').slice(-20).join('\n')}`
}
