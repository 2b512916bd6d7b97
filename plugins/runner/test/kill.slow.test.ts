import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { secondsAfterRefusals } from '../src/rules/slot-pauses.ts'
import { type Bench, benches, isAlive } from './support.ts'

const bench = benches()
const capped = benches({ budgets: { monthlyCapUsd: 1 } })

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'gateway.js')

function start(t: TestContext, b: Bench): ChildProcess {
  const child = spawn(process.execPath, [program, 'runner', 'start', '--config', b.config], {
    env: b.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined | false): Promise<T> {
  for (const end = Date.now() + 30_000; Date.now() < end; await delay(50)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`timed out: ${what}`)
}

const HANGS = (b: Bench): string => `echo half > half.txt; echo $$ > ${b.folder}/pid; sleep 300`
const agentOf = (b: Bench): Promise<number> =>
  until('the agent runs', () => existsSync(join(b.folder, 'pid')) && Number(readFileSync(join(b.folder, 'pid'), 'utf8')))
/** Waits for the agent, then for its end after `stop`. A quarter of a second is for the test itself. */
async function stopsWithinTwoSeconds(b: Bench, stop: () => Promise<unknown>): Promise<void> {
  const agent = await agentOf(b)
  await stop()
  const began = Date.now()
  await until('the agent is dead', () => !isAlive(agent))
  assert.ok(Date.now() - began < 2_250, `${Date.now() - began} ms`)
}
const branches = (b: Bench): string[] => b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')

test('a killed runner takes its agent with it, and the next start rescues the work and frees the task', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(HANGS(b))
  const runner = start(t, b)
  const agent = await agentOf(b)
  runner.kill('SIGKILL')
  await until('the agent is dead', () => !isAlive(agent))
  const { stdout, code } = await b.once()
  assert.deepEqual([code, /a dead run was rescued, branch rescue\/task-/.test(stdout)], [0, true], stdout)
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.retryCount], ['pending', 1])
  const [rescued = ''] = branches(b).filter((name) => name.startsWith('rescue/'))
  assert.deepEqual(branches(b), ['main', rescued])
  assert.equal(b.git('show', `${rescued}:half.txt`), 'half')
  assert.equal(b.git('worktree', 'list').split('\n').length, 1)
  assert.deepEqual(readdirSync(join(b.folder, 'state', 'runs')), [])
})

test('a killed agent fails the task, and the runner goes on', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(HANGS(b))
  const runner = start(t, b)
  process.kill(await agentOf(b), 'SIGKILL')
  const task = await until('the task is free', async () => {
    const task = await b.get(taskId)
    return task.status === 'pending' && task
  })
  assert.match(task.lastError, /^\[agent\] /)
  const next = await b.task('echo two > b.txt')
  await until('the next task is done', async () => (await b.get(next)).status === 'review')
  runner.kill('SIGTERM')
  await once(runner, 'exit')
  const { slots } = await b.gateway.call('runner_lease_list', {})
  assert.ok(slots.every(({ holder = '' }: { holder?: string }) => !holder.includes(`/${runner.pid}-`)))
})

test('a run stops within two seconds when its task is taken away, and writes nothing to it', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(HANGS(b))
  start(t, b)
  let stopped = { task: {} as Record<string, unknown> }
  await stopsWithinTwoSeconds(b, async () => {
    stopped = await b.gateway.call('tasks_update', { taskId, status: 'blocked', notes: 'Stop it.' })
  })
  await until('the run is removed', () => readdirSync(join(b.folder, 'state', 'runs')).length === 0)
  const { updatedAt: _after, ...task } = await b.get(taskId)
  const { updatedAt: _before, ...before } = stopped.task
  assert.deepEqual(task, before)
})

test('a run stops within two seconds when its swarm is stopped', async (t) => {
  const b = await bench(t)
  const children = [{ title: 'A task', description: HANGS(b) }]
  const { swarmId } = (await b.gateway.call('swarm_plan', { repo: b.name, goal: 'Try it', children })).swarm
  await b.gateway.call('swarm_approve', { swarmId, approvedBy: 'operator' })
  start(t, b)
  await stopsWithinTwoSeconds(b, () => b.gateway.call('swarm_stop', { swarmId }))
})

for (const { name, make, stop, resume, says } of [
  {
    name: 'maintenance begins',
    make: bench,
    stop: (b: Bench) => b.gateway.call('fleet_maintenance_enter', { reason: 'upgrade' }),
    resume: (b: Bench) => b.gateway.call('fleet_maintenance_exit', {}),
    says: 'upgrade',
  },
  {
    name: 'a budget is reached',
    make: capped,
    stop: (b: Bench) => b.gateway.inject({ method: 'POST', url: '/api/budgets/report', body: { model: 'any', usd: 2 } }),
    resume: async () => undefined,
    says: 'cap',
  },
]) {
  test(`when ${name}, runs stop within two seconds and their tasks are returned`, async (t) => {
    const b = await make(t)
    const taskId = await b.task(HANGS(b))
    start(t, b)
    try {
      await stopsWithinTwoSeconds(b, () => stop(b))
      const task = await until('the task is free', async () => {
        const task = await b.get(taskId)
        return task.status === 'pending' && task
      })
      assert.deepEqual([task.retryCount, task.pacingDeferCount], [undefined, 1])
      assert.match(task.notes, new RegExp(`${says}[\\s\\S]*The work is kept on the branch rescue/`))
    } finally {
      await resume(b)
    }
  })
}

for (const { name, script, says, failed } of [
  {
    name: 'is refused its credential',
    script: 'stop=auth',
    says: /: the credential of the agent was refused\. .* in 60 seconds\.$/m,
    failed: 1,
  },
  { name: 'has used up its quota', script: 'stop=quota', says: /: the quota of the agent is used up\. .* in 900 seconds\.$/m, failed: 0 },
]) {
  test(`a runner whose agent ${name} pauses, instead of starting it for one task after another, and ends at once when told so`, async (t) => {
    const b = await bench(t)
    const description = `echo ${script} > "$GATEWAY_RESULT_FILE"`
    const tasks = [await b.task(description), await b.task(description), await b.task(description)]
    const runner = start(t, b)
    const [chunk] = (await once(runner.stderr as Readable, 'data')) as [Buffer]
    assert.match(chunk.toString(), says)
    await delay(1_000)
    const read = await Promise.all(tasks.map((taskId) => b.get(taskId)))
    const count = (of: 'retryCount' | 'pacingDeferCount'): number => read.reduce((sum, task) => sum + (task[of] ?? 0), 0)
    assert.deepEqual([count('retryCount'), count('pacingDeferCount')], [failed, 1 - failed])
    const began = Date.now()
    runner.kill('SIGTERM')
    await once(runner, 'exit')
    assert.ok(Date.now() - began < 5_000, `${Date.now() - began} ms`)
  })
}

test('the pause after refused credentials grows', () => {
  assert.deepEqual([60, 120, 240, 480, 900, 900], [1, 2, 3, 4, 5, 6].map(secondsAfterRefusals))
})

test('SIGTERM lets runs finish, and a second one returns their tasks', async (t) => {
  const b = await bench(t)
  const short = await b.task(`echo $$ > ${b.folder}/pid; while ! test -e ${b.folder}/go; do sleep 0.05; done; echo two > b.txt`)
  const runner = start(t, b)
  await agentOf(b)
  const after = await b.task('echo never > c.txt')
  runner.kill('SIGTERM')
  await delay(300)
  b.touch('go')
  await once(runner, 'exit')
  assert.deepEqual([(await b.get(short)).status, (await b.get(after)).status], ['review', 'pending'])
  await b.gateway.call('tasks_update', { taskId: after, status: 'blocked' })

  b.touch('pid', true)
  const long = await b.task(HANGS(b))
  const second = start(t, b)
  await agentOf(b)
  second.kill('SIGTERM')
  await delay(700)
  second.kill('SIGTERM')
  await once(second, 'exit')
  const task = await b.get(long)
  assert.deepEqual([task.status, task.retryCount], ['pending', undefined])
  assert.match(task.notes, /The work is kept on the branch rescue\//)
})

test('a run whose runner died after delivery is finished by the next start, not done twice', async (t) => {
  const b = await bench(t, { leaseSeconds: 10 })
  const taskId = await b.task(`echo ran >> ${b.folder}/runs.log; echo two > b.txt`)
  const { writeRecord, readRecords } = await import('../src/operations/record.ts')
  const stateDir = join(b.folder, 'state')
  // The state that a runner leaves which is killed between delivery and the update of its task.
  const { task } = await b.gateway.call('tasks_claim', { claimedBy: 'm1/primary/1', taskId })
  b.git('branch', `task/${taskId}`)
  const tree = {
    repo: b.repo,
    path: join(stateDir, 'runs', 'run-1', 'worktree'),
    branch: `task/${taskId}`,
    base: b.git('rev-parse', 'main'),
    start: b.git('rev-parse', 'main'),
  }
  const final = { status: 'review', notes: '1 file changed.', noopDispatch: false } as const
  const names = { lane: 'primary', agent: 'scripted', title: 'A task', repo: b.name, startedAt: new Date().toISOString() }
  await writeRecord(stateDir, { runId: 'run-1', runner: '1:0', taskId, claimId: task.claimId, ...names, phase: 'delivered', tree, final })
  const { stdout } = await b.once()
  assert.match(stdout, /a dead run was finished, branch task\/task-/)
  assert.equal((await b.get(taskId)).status, 'review')
  assert.equal(existsSync(join(b.folder, 'runs.log')), false)
  assert.deepEqual([await readRecords(stateDir), branches(b)], [[], ['main', `task/${taskId}`]])
})
