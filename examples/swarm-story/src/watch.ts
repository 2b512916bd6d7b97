import assert from 'node:assert/strict'
import type { Answer, Call } from './call.ts'

export interface Worker {
  readonly name: string
  readonly machine: string
  readonly holder: string
}
/** A worker in a runner slot, with the task it has claimed. */
export interface Busy extends Worker {
  readonly slot: number
  readonly task: Answer
}
export interface Shift {
  readonly steady: Busy
  /** The worker that stops sending heartbeats. */
  readonly silent: Busy
  /** The worker that waits for a free slot. */
  readonly spare: Worker
  readonly slots: number
}

const SHORT_SECONDS = 2
const PASSING_SECONDS = 3
/** Between the time that passes and a heartbeat's age when it is checked. */
const THRESHOLD_MINUTES = 0.04

/** Three workers report in; two get a slot and claim, and one of these will be silent. */
export async function begin(call: Call, repo: string, say: (line: string) => void): Promise<Shift> {
  const workers = ['ann', 'bob', 'cyd'].map((name): Worker => ({ name, machine: `${repo}-${name}`, holder: `${repo}/${name}` }))
  for (const { machine, holder } of workers) await call('runner_heartbeat', { machine, holder, capabilities: ['primary'] })
  assert.deepEqual(await downOf(call, workers), [])
  say('ann, bob, cyd  report in: their machines are alive')

  const listed: Answer[] = (await call('runner_lease_list', {})).slots
  const slots = listed.filter(({ holder, stale, tenantId }) => holder !== undefined && !stale && tenantId === undefined).length + 2
  const asked = await Promise.all(workers.map(({ machine, holder }) => call('runner_lease_acquire', { machine, holder, slots })))
  const inSlots = workers.flatMap((worker, i) => (asked[i].acquired ? [{ ...worker, slot: asked[i].lease.slot as number }] : []))
  const [first, second] = inSlots
  const spare = workers.find(({ name }) => !inSlots.some((other) => other.name === name))
  assert.ok(first && second && spare && inSlots.length === 2)
  say(`${first.name}, ${second.name}    take the two free runner slots; ${spare.name} has to wait for one`)

  const claims = await Promise.all([
    call('tasks_claim', { claimedBy: first.name, repo }),
    call('tasks_claim', { claimedBy: second.name, repo, leaseSeconds: SHORT_SECONDS }),
  ])
  for (const { task } of claims) say(`${task.claimedBy}         claims “${task.title}”`)
  assert.notEqual(claims[0].task.taskId, claims[1].task.taskId)
  assert.equal((await call('tasks_claim', { claimedBy: spare.name, repo })).claimed, false)
  say('nobody      can claim “Publish both”: it depends on the other two')
  return { steady: { ...first, task: claims[0].task }, silent: { ...second, task: claims[1].task }, spare, slots }
}

/** The silent worker is detected, and its slot and task go to the spare one; returns the task as that one has it. */
export async function replaceSilent(
  call: Call,
  { steady, silent, spare, slots }: Shift,
  pass: (seconds: number) => Promise<void>,
  say: (line: string) => void,
): Promise<Answer> {
  await call('runner_lease_heartbeat', { holder: silent.holder, slot: silent.slot, leaseSeconds: SHORT_SECONDS })
  say(`${silent.name}         keeps its slot for ${SHORT_SECONDS} seconds more, and is heard of no more`)
  await pass(PASSING_SECONDS)
  for (const { machine } of [steady, spare]) await call('runner_heartbeat', { machine })
  assert.equal((await call('runner_lease_heartbeat', { holder: steady.holder, slot: steady.slot })).ok, true)
  assert.deepEqual(await downOf(call, [steady, silent, spare]), [silent.machine])
  say(`operator    looks: the machine of ${silent.name} is down, the others are alive`)

  const { lease } = await call('runner_lease_acquire', { machine: spare.machine, holder: spare.holder, slots })
  const { history } = await call('runner_lease_history', { slot: silent.slot, limit: 1 })
  assert.deepEqual([lease.slot, history[0].holder, history[0].endReason], [silent.slot, silent.holder, 'reclaimed'])
  say(`${spare.name}         gets slot ${lease.slot}: it is reclaimed from ${silent.name}`)

  const { taskId, claimId } = silent.task
  await call('task_lease_reap', {})
  const { tasks } = await call('tasks_list', { repo: silent.task.repo })
  const released = tasks.find((one: Answer) => one.taskId === taskId)
  assert.deepEqual([released.status, released.retryCount, released.claimedBy], ['pending', 1, undefined])
  say(`gateway     takes “${released.title}” back: the lease of ${silent.name} has run out`)
  await call('tasks_update', { taskId, status: 'pending', deferSeconds: 0 })
  const { task } = await call('tasks_claim', { claimedBy: spare.name, repo: released.repo })
  assert.equal(task.taskId, taskId)
  say(`${spare.name}         claims it, once the operator lets it be tried again at once`)

  await assert.rejects(call('tasks_update', { taskId, claimId, status: 'done' }))
  assert.equal((await call('runner_lease_heartbeat', { holder: silent.holder, slot: silent.slot })).ok, false)
  say(`${silent.name}         comes back, and is told that slot and task are no longer its own`)
  return task
}

/** Returns the slot of every worker that holds one. */
export async function end(call: Call, { steady, silent, spare }: Shift, say: (line: string) => void): Promise<void> {
  for (const { holder, slot } of [steady, { ...spare, slot: silent.slot }]) {
    assert.equal((await call('runner_lease_release', { holder, slot })).released, true)
  }
  say(`${steady.name}, ${spare.name}    give their slots back`)
}

async function downOf(call: Call, workers: readonly Worker[]): Promise<string[]> {
  const { machines } = await call('runner_liveness', { thresholdMinutes: THRESHOLD_MINUTES })
  const seen: Answer[] = workers.map(({ machine }) => machines.find((one: Answer) => one.machine === machine))
  return seen.filter(({ down }) => down).map(({ machine }) => machine)
}
