import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandOutput, ServiceClient } from '@gateway/sdk'
import { agentFor, claimFilter } from '../rules/claim-filter.ts'
import { type End, type Ended, lineOf } from '../rules/end.ts'
import { SlotPauses } from '../rules/slot-pauses.ts'
import type { LaneConfig, RepoConfig, RunnerConfig, Task } from '../schema.ts'
import { checkKey, explained } from './check-key.ts'
import { openForwarder } from './forwarder.ts'
import { Stopper } from './halt.ts'
import { extensionMs } from './hold-claim.ts'
import { mergeAll } from './merge.ts'
import type { MergeRounds } from './merge-rounds.ts'
import { Pauses } from './pauses.ts'
import { processMark } from './processes.ts'
import { type Recovered, recoverRuns } from './recover.ts'
import { repairing } from './repaired-client.ts'
import { dropRescues } from './rescue-branches.ts'
import { performRun } from './run.ts'
import { enterRunner } from './runners.ts'
import { isFatal, isPassing, persist } from './service-error.ts'
import { StuckMerges } from './stuck-merges.ts'
import { noteWaiting, removeWaiting } from './waiting.ts'

export interface Serve {
  readonly client: ServiceClient
  readonly config: RunnerConfig
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: Pick<CommandOutput, 'line' | 'complain'>
  /** Aborts for a drain: no further task is taken, and runs go on. */
  readonly drain: AbortSignal
  /** Aborts to return the tasks at work as well. */
  readonly giveBack: AbortSignal
  /** Works on at most one task, and ends at once on an empty queue. */
  readonly once: boolean
}

type Serving = Serve & { readonly agentUrl: string }

const WAIT_SECONDS = 20
const PAUSE_MS = 1_000
const RETRY_MS = 3_000
const HEARTBEAT_MS = 60_000
const SWEEP_MS = 86_400_000
/** Limit of a request that waits for nothing: a slot and a task must not wait for an answer that does not come. */
const ORDINARY_MS = 30_000
/** Time for which a claim is repeated while the gateway starts again. */
const RESTART_MS = 10_000

/**
 * A runner. Its life:
 * 1. It cleans up after runs whose runner died, and registers with the machine and the gateway.
 * 2. Each slot of each lane takes a slot lease, waits for a task, works on it and begins again.
 * 3. A pause of the fleet or a reached budget stops all runs; their tasks are returned.
 * 4. After a drain each slot ends with its run, and the runner signs off.
 */
export async function serve(given: Serve): Promise<readonly End[]> {
  const client = repairing(given.client).within(ORDINARY_MS)
  const order = { ...given, client }
  const { config } = order
  const mark = processMark(process.pid) as string
  const leave = await enterRunner(config.stateDir, {
    mark,
    pid: process.pid,
    machine: config.machine,
    url: client.url,
    lanes: [...config.lanes.map(({ name }) => name), ...(config.merge ? ['merge'] : [])],
    startedAt: new Date().toISOString(),
  })
  const ended = new AbortController()
  const forwarder = await openForwarder(client.url)
  try {
    await recover(order)
    const runs = new Set<Stopper>()
    const reasons = new Pauses(client, order.output)
    const stopAll = (why: 'return' | 'pause', reason: string): void => {
      for (const stopper of runs) stopper.stop(why, reason)
    }
    order.giveBack.addEventListener('abort', () => stopAll('return', 'The runner was stopped.'), { once: true })
    const beats = every(HEARTBEAT_MS, ended.signal, async () => {
      await beat(order)
      for (const run of await recoverRuns(client, config)) if (run.outcome !== 'waiting') printRecovered(order, run)
    })
    const sweeps = order.once
      ? undefined
      : every(SWEEP_MS, ended.signal, async () => {
          for (const { taskId, branch } of await dropRescues(client, config, new Date())) {
            order.output.line(`${taskId}: the task is done, so the branch ${branch} was removed.`)
          }
        })
    const pauses = every(PAUSE_MS, ended.signal, async () => {
      if (runs.size === 0) return
      const reason = await reasons.ask()
      if (reason !== undefined) stopAll('pause', reason)
    })
    const lanes = order.once ? config.lanes.slice(0, 1).map((lane) => ({ ...lane, slots: 1 })) : config.lanes
    const slots = lanes.flatMap((lane) =>
      Array.from({ length: lane.slots }, (_, index) =>
        workSlot({ ...order, agentUrl: forwarder.url }, lane, index + 1, { mark, runs, reasons }),
      ),
    )
    const working = Promise.allSettled(slots)
    const merges = merging(order, ended.signal)
    // Slots may work on for long after the lane of merging was refused.
    merges.catch(() => undefined)
    const results = await working
    // With slots, the lane of merging ends with them; alone it goes on until the drain.
    if (slots.length > 0) ended.abort()
    await merges
    ended.abort()
    await Promise.all([beats, pauses, sweeps])
    for (const result of results) if (result.status === 'rejected') throw explained(result.reason, client.url)
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  } finally {
    ended.abort()
    await Promise.all([leave(), forwarder.close()])
  }
}

/** Checks the key and cleans up before the first task. A gateway that does not answer is waited for: a machine may start before it. */
async function recover({ client, config, output, drain, once }: Serve): Promise<void> {
  while (!drain.aborted) {
    try {
      output.line(await checkKey(client))
      for (const run of await recoverRuns(client, config)) printRecovered({ output }, run)
      return
    } catch (error) {
      if (once || !isPassing(error)) throw error
      output.complain(`${(error as Error).message} Trying again.`)
      await delay(RETRY_MS, undefined, { signal: drain }).catch(() => undefined)
    }
  }
}

function printRecovered({ output }: Pick<Serve, 'output'>, { taskId, outcome, branch, reason }: Recovered): void {
  if (outcome === 'waiting') output.complain(`${taskId}: the work of a dead run waits for the branch ${branch}. ${reason}`)
  else output.line(`${taskId}: a dead run was ${outcome}${branch ? `, branch ${branch}` : ''}.`)
}

/** The lane `merge`, until the drain or the end of the slots. */
async function merging({ client, config, env, output, drain: asked, once }: Serve, ended: AbortSignal): Promise<void> {
  const { merge } = config
  if (merge === undefined) return
  const drain = AbortSignal.any([asked, ended])
  const rounds = new Map<string, MergeRounds>()
  const stuck = new StuckMerges()
  const pass = (): Promise<void> => mergeAll({ client, config, env, output, merge, drain, rounds, stuck })
  if (once) await mergeAll({ client, config, env, output, merge, drain: asked, stuck })
  else {
    const refused = new AbortController()
    let refusal: unknown
    await every(merge.everySeconds * 1_000, AbortSignal.any([drain, refused.signal]), () =>
      pass().catch((error: Error) => {
        if (!isFatal(error)) return output.complain(error.message)
        refusal = error
        refused.abort()
      }),
    )
    if (refusal !== undefined) throw explained(refusal, client.url)
  }
}

async function every(ms: number, until: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!until.aborted) {
    await act().catch(() => undefined)
    await delay(ms, undefined, { signal: until }).catch(() => undefined)
  }
}

const beat = async ({ client, config }: Serve): Promise<void> => {
  const { machine, lanes, agents } = config
  const capabilities = [...lanes.map(({ name }) => name), ...new Set(lanes.flatMap((lane) => Object.values(lane.agents)))]
  const adapters = new Set(capabilities.flatMap((name) => agents[name]?.adapter ?? []))
  await client.call('runner_heartbeat', {
    machine,
    holder: `${machine}/runner/${process.pid}`,
    address: `${machine}/runner`,
    capabilities: [...new Set([...capabilities, ...adapters])].slice(0, 100),
  })
}

interface Runner {
  readonly mark: string
  readonly runs: Set<Stopper>
  readonly reasons: Pauses
}

/** A slot of a lane: a slot lease, then task after task. While work is paused it takes none. */
async function workSlot(order: Serving, lane: LaneConfig, index: number, { mark, runs, reasons }: Runner): Promise<readonly End[]> {
  const { client, config, drain, output } = order
  const holder = `${config.machine}/${lane.name}/${process.pid}-${index}`
  const account = lane.account === undefined ? {} : { account: lane.account }
  const slotLease = { holder, ...account, leaseSeconds: config.leaseSeconds }
  const unconfiguredRepos = new Set<string>()
  const ends: End[] = []
  const pauses = new SlotPauses()
  const rest = (ms: number): Promise<void> => delay(ms, undefined, { signal: drain }).catch(() => undefined)
  let slot: number | undefined
  let idleSince = Date.now()
  let lastReason: string | undefined
  try {
    while (!drain.aborted && !(order.once && ends.length > 0)) {
      try {
        const isPaused = (await reasons.recent()) !== undefined
        const acquired = (await client.call('runner_lease_acquire', { ...slotLease, machine: config.machine, slots: lane.fleetSlots })) as {
          acquired: boolean
          lease?: { slot: number }
          reason?: string
        }
        slot = acquired.lease?.slot
        const task = acquired.acquired && !isPaused ? await claim(order, lane, holder, unconfiguredRepos) : undefined
        if (task === undefined) {
          if (acquired.reason !== undefined && acquired.reason !== lastReason) output.complain(acquired.reason)
          lastReason = acquired.reason
          if (order.once || (config.idleSeconds > 0 && Date.now() - idleSince > config.idleSeconds * 1_000)) return ends
          if (!acquired.acquired || isPaused) await rest(RETRY_MS)
          continue
        }
        const end = await work(order, lane, task, { mark, runs, slot, slotLease })
        ends.push(end)
        reasons.expire()
        const pause = pauses.after(end)
        if (pause !== undefined && !order.once) {
          output.complain(`${lane.name}: ${pause.reason}`)
          await rest(pause.seconds * 1_000)
        }
        idleSince = Date.now()
      } catch (error) {
        if (order.once || isFatal(error)) throw error
        output.complain(`${(error as Error).message} Trying again.`)
        await rest(RETRY_MS)
      }
    }
    return ends
  } finally {
    if (slot !== undefined) await client.call('runner_lease_release', { holder, slot }).catch(() => undefined)
  }
}

interface Slot {
  readonly mark: string
  readonly runs: Set<Stopper>
  readonly slot: number | undefined
  readonly slotLease: { readonly holder: string; readonly leaseSeconds: number }
}

async function work(
  order: Serving,
  lane: LaneConfig,
  task: Task & { claimId: string },
  { mark, runs, slot, slotLease }: Slot,
): Promise<Ended> {
  const { client, config, env, output, agentUrl } = order
  const repo = config.repos[task.repo] as RepoConfig
  const stopper = new Stopper()
  if (order.giveBack.aborted) stopper.stop('return', 'The runner was stopped.')
  runs.add(stopper)
  output.line(`${task.taskId} (${task.repo}): ${task.title}`)
  await removeWaiting(config.stateDir, task.taskId)
  const prompt = client.within(extensionMs(config))
  try {
    const extended = async (): Promise<void> => {
      if (slot !== undefined) await prompt.call('runner_lease_heartbeat', { ...slotLease, slot, taskId: task.taskId })
    }
    const end = await performRun({
      client,
      config,
      env,
      runner: mark,
      lane,
      task,
      repo,
      agentName: agentFor(lane, task),
      stopper,
      extended,
      agentUrl,
    })
    if (end.kind === 'returned' && end.taken) {
      const { taskId, title } = task
      await noteWaiting(config.stateDir, { taskId, title, reason: end.reason, since: new Date().toISOString() })
    }
    output.line(`${task.taskId}: ${lineOf(end)}`)
    return end
  } finally {
    runs.delete(stopper)
  }
}

interface Claimed {
  readonly task?: Task & { readonly claimId: string }
}

/** Waits for a task that this lane can work on. A task of a repo that is not configured here is returned at once. */
async function claim(
  order: Serve,
  lane: LaneConfig,
  holder: string,
  unconfiguredRepos: Set<string>,
): Promise<(Task & { claimId: string }) | undefined> {
  const { client, config, drain, once } = order
  // The drain may have begun since the slot looked. A claim that begins after it would wait for a task that nobody is to work on.
  if (drain.aborted) return undefined
  const filter = claimFilter(config, lane, unconfiguredRepos)
  const waitSeconds = once ? 0 : WAIT_SECONDS
  const serves = Object.keys(lane.agents).filter((name) => name !== '*')
  const request = { claimedBy: holder, leaseSeconds: config.leaseSeconds, waitSeconds, serves, ...filter }
  const [key, until] = [randomUUID(), Date.now() + waitSeconds * 1_000 + RESTART_MS]
  const patient = client.within(waitSeconds * 1_000 + ORDINARY_MS)
  // A gateway that dies after it has claimed gives the same answer to the same key.
  const waiting = persist(() => patient.post('/api/tasks/claim-for-runner', request, key) as Promise<Claimed>, until, drain)
  const { task } = await untilDrained(order, waiting)
  if (task === undefined) return undefined
  const { taskId, claimId } = task
  if (!Object.hasOwn(config.repos, task.repo)) {
    unconfiguredRepos.add(task.repo)
    await client.call('tasks_update', { taskId, claimId, status: 'pending' })
    return claim(order, lane, holder, unconfiguredRepos)
  }
  await persist(() => client.call('tasks_update', { taskId, claimId, executionLane: lane.name }), Date.now() + RESTART_MS)
  return task
}

/** Resolves without a task when the drain begins; a task that the waiting claim still receives is returned to the queue. */
async function untilDrained(order: Serve, waiting: Promise<Claimed>): Promise<Claimed> {
  const { drain, client } = order
  const drained = new AbortController()
  const end = new Promise<Claimed>((resolve) => drain.addEventListener('abort', () => resolve({}), { once: true, signal: drained.signal }))
  try {
    const answer = await Promise.race([waiting, end])
    if (drain.aborted && answer.task === undefined) {
      void waiting
        .then(({ task }) => task && client.call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'pending' }))
        .catch(() => undefined)
    }
    return answer
  } finally {
    drained.abort()
  }
}
