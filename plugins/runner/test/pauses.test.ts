import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '@gateway/cli'
import runner from '../src/index.ts'
import { SlotPauses, secondsAfterQuota } from '../src/rules/slot-pauses.ts'
import { type Bench, benches } from './support.ts'

const reached = benches({ budgets: { monthlyCapUsd: 1 } })
const spent = benches({ budgets: { monthlyCapUsd: 1 } })
const lanes = { primary: { slots: 2, agents: { '*': 'scripted' } } }
/** A runner that takes tasks until it has had none for two seconds. */
const startUntilIdle = ({ config, env }: Bench): ReturnType<typeof runCommand> =>
  runCommand({ plugins: async () => [runner], argv: ['runner', 'start', '--config', config], env })
const told = (stderr: string): number => stderr.match(/^No task is taken: 2 USD are spent of the cap budgets\.monthlyCapUsd/gm)?.length ?? 0

test('while a budget is at its cap no task is taken, and the reason is told once and in the status', async (t) => {
  const b = await reached(t, { lanes, idleSeconds: 2 })
  const tasks = [await b.task('echo two > b.txt'), await b.task('echo two > b.txt'), await b.task('echo two > b.txt')]
  await b.gateway.inject({ method: 'POST', url: '/api/budgets/report', body: { model: 'any', usd: 2 } })
  const { code, stdout, stderr } = await startUntilIdle(b)
  assert.deepEqual([code, told(stderr)], [0, 1], stdout + stderr)
  for (const taskId of tasks) {
    const { status, claimedAt, pacingDeferCount } = await b.get(taskId)
    assert.deepEqual([status, claimedAt, pacingDeferCount], ['pending', undefined, undefined])
  }
  const argv = ['runner', 'status', '--config', b.config]
  const status = (...more: string[]) => runCommand({ plugins: async () => [runner], argv: [...argv, ...more], env: b.env })
  assert.match((await status()).stdout, /^No task is taken: 2 USD are spent/m)
  assert.match(JSON.parse((await status('--json')).stdout).paused, /^2 USD are spent/)
  assert.match((await b.once()).stderr, /No task is taken: 2 USD are spent/)
})

test('a run that uses up a budget is the last one of its slot', async (t) => {
  const b = await spent(t, { lanes: { primary: { agents: { '*': 'scripted' } } }, idleSeconds: 2 })
  const costs = 'printf "model=m\\nusd=2\\n" > "$GATEWAY_RESULT_FILE"; echo $GATEWAY_TASK_ID > b.txt'
  const tasks = [await b.task(costs), await b.task(costs), await b.task(costs)]
  const { code, stdout, stderr } = await startUntilIdle(b)
  assert.deepEqual([code, told(stderr)], [0, 1], stdout + stderr)
  const statuses = await Promise.all(tasks.map(async (taskId) => (await b.get(taskId)).status))
  assert.deepEqual(statuses.toSorted(), ['pending', 'pending', 'review'])
})

test('a slot pauses after a used-up quota until the reset, within bounds', () => {
  const quota = (deferSeconds: number) => ({ kind: 'returned', reason: 'Limit reached', deferSeconds, isQuota: true }) as const
  const pauses = new SlotPauses()
  assert.deepEqual(pauses.after(quota(120)), {
    seconds: 120,
    reason: 'the quota of the agent is used up. The next task is taken in 120 seconds.',
  })
  assert.equal(pauses.after({ kind: 'delivered' }), undefined)
  assert.equal(pauses.after({ kind: 'returned', reason: 'The runner was stopped.', deferSeconds: 60 }), undefined)
  assert.deepEqual([0.1, 10.5, 900, 21_600].map(secondsAfterQuota), [10, 11, 900, 900])
})
