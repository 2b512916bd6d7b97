import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '@gateway/sdk'
import { writeRecord } from '../src/operations/record.ts'
import { drained, Fleet, processesIn, program, until } from './fleet.ts'

/**
 * Number of processes that are killed. RUNNER_KILLS=1000 is the long form: it takes hours, so it needs `--test-timeout=18000000` as well.
 */
const KILLS = Number(process.env.RUNNER_KILLS ?? 50)
/** The long form says how far it came, on the error stream, which the reporter of the tests passes on. */
const PROGRESS_KILLS = 25
const MACHINES = ['m1', 'm2', 'm3']
const LEASE_SECONDS = 10
const OPEN_TASKS = 8
/** Two or three commits, each noted once it stands. */
const SCRIPT = [
  'for n in 1 2 3; do echo "$$ $n" >> "$T.js"; git add .',
  'git -c user.name=A -c user.email=a@gateway.invalid commit --quiet -m "$T $n" && git rev-parse HEAD >> "$F/commits"',
  'sleep 0.2; done',
].join('; ')

interface Task {
  readonly taskId: string
  readonly repo: string
  readonly status: string
  readonly leaseUntil?: string
  readonly nextRetryAt?: string
}

/** The gateway as a process that is started again on the same data. */
class Service {
  readonly url: string
  #child: ChildProcess | undefined
  readonly #env: Record<string, string>
  readonly #fleet: Fleet

  constructor(fleet: Fleet, port: number) {
    const { folder } = fleet
    this.#fleet = fleet
    this.url = `http://127.0.0.1:${port}`
    const mail = { GATEWAY_PORT: String(port), GATEWAY_DATA_DIR: join(folder, 'data'), GATEWAY_LOG_LEVEL: 'error' }
    this.#env = { HOME: folder, PATH: process.env.PATH ?? '', ...mail }
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [program, 'start'], { env: this.#env, stdio: 'ignore' })
    this.#fleet.endWith(this.#child)
    await until('the gateway answers', 120, () =>
      fetch(`${this.url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async ask(method: string, path: string, body?: object): Promise<Record<string, never>> {
    const headers = body && { 'content-type': 'application/json' }
    const response = await fetch(this.url + path, { method, ...(headers && { headers, body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, never>
  }

  async tasks(): Promise<readonly Task[]> {
    const all: Task[] = []
    for (let cursor = ''; ; ) {
      const { tasks, nextCursor } = (await this.ask('GET', `/api/tasks?limit=500${cursor}`)) as unknown as {
        tasks: readonly Task[]
        nextCursor?: string
      }
      all.push(...tasks)
      if (nextCursor === undefined) return all
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test(`${KILLS} random kills of agents, runners and the gateway lose no commit, do no task twice and leave nothing`, {
  timeout: HOUR_MS * Math.max(1, KILLS / 200),
}, async (t) => {
  const port = await freePort()
  const fleet = new Fleet(t, `http://127.0.0.1:${port}`, { repos: 2, config: { leaseSeconds: LEASE_SECONDS } })
  const service = new Service(fleet, port)
  await service.start()
  const runners = new Map(MACHINES.map((machine) => [machine, fleet.runner(machine)]))

  let made = 0
  async function fill(): Promise<void> {
    // A task whose run was killed waits for its next try.
    const now = new Date().toISOString()
    const open = (await service.tasks()).filter(
      ({ status, nextRetryAt = '' }) => status === 'working' || (status === 'pending' && nextRetryAt <= now),
    ).length
    for (let n = open; n < OPEN_TASKS; n++) {
      const description = `T=$GATEWAY_TASK_ID; F=${fleet.folder}; ${SCRIPT}`
      await service.ask('POST', '/api/tasks', { repo: fleet.repos[made++ % 2], title: `Task ${made}`, description })
    }
  }
  const kill = {
    agent: async () => {
      const [pid] = processesIn(fleet.folder).toSorted(() => Math.random() - 0.5)
      if (pid !== undefined) process.kill(Number(pid), 'SIGKILL')
    },
    runner: async () => {
      const machine = MACHINES[Math.floor(Math.random() * MACHINES.length)] as string
      runners.get(machine)?.kill('SIGKILL')
      await delay(Math.random() * 500)
      runners.set(machine, fleet.runner(machine))
    },
    gateway: async () => {
      service.kill()
      await delay(Math.random() * 500)
      await service.start()
    },
  }
  for (let count = 0; count < KILLS; count++) {
    await until('a run begins', 120, async () => {
      await fill()
      return processesIn(fleet.folder).length > 0
    }).catch((error: Error) => {
      throw new Error([`${error.message} after ${count} kills`, ...MACHINES.map((machine) => fleet.said(machine))].join('\n'))
    })
    await delay(Math.random() * 1_000)
    const chance = Math.random()
    // A process may end by itself before it is killed.
    await kill[chance < 0.4 ? 'agent' : chance < 0.8 ? 'runner' : 'gateway']().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ESRCH') throw error
    })
    for (const [machine, { exitCode }] of runners) assert.equal(exitCode, null, `${machine} ended by itself: ${fleet.said(machine)}`)
    if ((count + 1) % PROGRESS_KILLS === 0) console.error(`${count + 1} kills, ${made} tasks`)
  }

  await until('no task is at work for longer than a lease', 4 * LEASE_SECONDS, async () => {
    const late = new Date(Date.now() - LEASE_SECONDS * 1_000).toISOString()
    return (await service.tasks()).every(({ status, leaseUntil = '' }) => status !== 'working' || leaseUntil > late)
  })
  await Promise.all([...runners.values()].map(drained))
  // A runner that was killed last left its run to the next start.
  await Promise.all(
    MACHINES.map(async (machine) => {
      const runner = fleet.runner(machine)
      await until(`${machine} cleans up`, 60, () => fleet.runs(machine).length === 0)
      await drained(runner)
    }),
  )
  fleet.checkNothingLeft()
  // A slot of a killed runner is held until its lease expires.
  await until('no slot is held', 4 * LEASE_SECONDS, async () => {
    const { active } = await service.ask('POST', '/api/tools/runner_lease_list', {})
    return active === 0
  })

  const tasks = await service.tasks()
  for (const { taskId, repo, status } of tasks) {
    assert.ok(['review', 'pending', 'dead_letter'].includes(status), `${taskId} is ${status}`)
    if (status === 'review') assert.match(fleet.git(repo, 'show', `task/${taskId}:${taskId}.js`), / 3$/m)
    const { events } = (await service.ask('GET', `/api/tasks/${taskId}/history`)) as unknown as { events: readonly { what: string }[] }
    assert.ok(events.filter(({ what }) => what === 'review').length <= 1, `${taskId} was delivered twice`)
  }
  assert.ok(tasks.some(({ status }) => status === 'review'))

  const noted = existsSync(join(fleet.folder, 'commits')) ? readFileSync(join(fleet.folder, 'commits'), 'utf8').trim().split('\n') : []
  const reachable = new Set(
    fleet.repos.flatMap((repo) =>
      execFileSync('git', ['rev-list', '--branches'], { cwd: join(fleet.folder, repo), encoding: 'utf8' }).split('\n'),
    ),
  )
  assert.deepEqual(
    noted.filter((commit) => !reachable.has(commit)),
    [],
  )
})

test('a run goes on while the gateway is dead, and is delivered once it is back', { timeout: HOUR_MS }, async (t) => {
  const port = await freePort()
  const fleet = new Fleet(t, `http://127.0.0.1:${port}`, { repos: 1, config: { leaseSeconds: 120 } })
  const service = new Service(fleet, port)
  await service.start()
  const [folder, go] = [fleet.folder, join(fleet.folder, 'go')]
  const script = `echo "$GATEWAY_TASK_ID" >> ${folder}/ran; while ! test -e ${go}; do sleep 0.1; done; echo x > x.js`
  const { task } = (await service.ask('POST', '/api/tasks', { repo: 'repo-1', title: 'Go on', description: script })) as unknown as {
    task: Task
  }
  const runner = fleet.runner('m1')
  await until('the run begins', 60, () => existsSync(join(folder, 'ran')))
  service.kill()
  await delay(1_500)
  writeFileSync(go, '')
  await delay(1_500)
  await service.start()
  await until('the task is in review', 60, async () => (await service.tasks())[0]?.status === 'review')
  await drained(runner)
  assert.equal(fleet.git('repo-1', 'show', `task/${task.taskId}:x.js`), 'x')
  assert.deepEqual([...fleet.ran().values()], [1])
  fleet.checkNothingLeft()
})

test('a runner that starts before its gateway waits for it, then ends what a dead runner left, and works', {
  timeout: HOUR_MS,
}, async (t) => {
  const port = await freePort()
  const fleet = new Fleet(t, `http://127.0.0.1:${port}`, { repos: 1, config: { leaseSeconds: LEASE_SECONDS } })
  const names = { lane: 'primary', agent: 'scripted', title: 'Left', repo: 'repo-1', startedAt: new Date().toISOString() } as const
  const left = { runId: 'run-1', runner: '1:0', taskId: 'task-1', claimId: 'claim-1', phase: 'claimed', ...names } as const
  await writeRecord(join(fleet.folder, 'state-m1'), left)
  const runner = fleet.runner('m1')
  await until('it tries again', 120, () => fleet.said('m1').includes('Trying again.'))
  const service = new Service(fleet, port)
  await service.start()
  await service.ask('POST', '/api/tasks', { repo: 'repo-1', title: 'A task', description: 'echo x > x.js' })
  await until('the task is in review', 120, async () => (await service.tasks())[0]?.status === 'review')
  await drained(runner)
  assert.match(fleet.said('m1'), /^task-1: a dead run was removed\.$/m)
  fleet.checkNothingLeft()
})
