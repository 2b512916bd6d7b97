import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const TASKS = 5_000
const WORKERS = 50
const HOUR = 3_600

interface Task {
  taskId: string
  claimId: string
  status: string
  dependsOn?: string[]
}

test(`${WORKERS} workers that fail, defer, crash and lose answers do ${TASKS} tasks in order of dependency, each once`, {
  timeout: 300_000,
}, async () => {
  const done = new Map<string, number>()
  const bookkeeper = definePlugin({
    id: 'test-bookkeeper',
    sdk: '^1.0.0',
    description: 'Counts completions where they are written.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply({ before, after }) {
            if (before.status !== 'done' && after.status === 'done') done.set(after.taskId, (done.get(after.taskId) ?? 0) + 1)
          },
        }),
      }),
    ],
  })
  await using gateway = await startTestGateway({
    plugins: [...standardPlugins, bookkeeper],
    env: { TASK_MAX_RETRIES: '100' },
    listen: true,
  })
  const client = new Client(gateway.url)
  const random = generator(20260105)
  await createGraph(gateway, random)

  const claims = new Set<string>()
  /** Tasks of crashed workers, until their leases end. */
  const abandoned = new Set<string>()
  const finished = () => done.size === TASKS
  const rest = meeting(WORKERS, async () => {
    // Everyone is idle, so the rest waits for its time: a backoff, a defer, or the lease of a crashed worker.
    gateway.clock.advance(HOUR)
    abandoned.clear()
    await gateway.call('task_lease_reap')
  })

  async function work(name: string): Promise<void> {
    while (!finished()) {
      const answer = await client.send('POST', '/api/tasks/claim', { claimedBy: name, leaseSeconds: HOUR }, random() < 0.01)
      if (answer === undefined) continue
      if (!answer.claimed) {
        await rest.arrive()
        continue
      }
      const task = answer.task as Task
      assert.equal(abandoned.has(task.taskId), false, `${task.taskId} was claimed while another had a lease on it`)
      assert.equal(claims.has(task.claimId), false, 'a claimId came twice')
      for (const upstream of task.dependsOn ?? []) assert.ok(done.has(upstream), `${task.taskId} was claimed before ${upstream} was done`)
      claims.add(task.claimId)
      await act(task)
    }
    rest.leave()
  }

  async function act({ taskId, claimId }: Task): Promise<void> {
    const dice = random()
    if (dice < 0.02) return void abandoned.add(taskId)
    const lost = random() < 0.05
    const path = `/api/tasks/${taskId}`
    if (dice < 0.1) return void (await client.send('POST', `${path}/fail`, { error: 'it broke', claimId }, lost))
    if (dice < 0.15) return void (await client.send('PATCH', path, { status: 'pending', deferSeconds: random() * 900, claimId }, lost))
    const report = { status: 'done', claimId }
    const answer = await client.send('PATCH', path, report, lost)
    // Half of the calls without an answer are retried: if the first was executed, the retry changes nothing.
    if (answer === undefined && random() < 0.5) await client.send('PATCH', path, report)
  }

  await Promise.all(Array.from({ length: WORKERS }, (_, i) => work(`worker-${i}`)))
  client.close()
  assert.deepEqual([...new Set(done.values())], [1], 'a task was completed more than once')
  const tasks = await all(gateway)
  assert.deepEqual([tasks.length, [...new Set(tasks.map(({ status }) => status))]], [TASKS, ['done']])
})

/** Each task depends on up to three of the two hundred before it. */
async function createGraph(gateway: TestGateway, random: () => number): Promise<void> {
  const ids: string[] = []
  while (ids.length < TASKS) {
    const operations = Array.from({ length: 100 }, (_, i) => {
      const before = Array.from({ length: Math.floor(random() * 4) }, () => ids[Math.floor(ids.length - 1 - random() * 200)])
      const dependsOn = before.filter((id) => id !== undefined)
      return { action: 'create', repo: `repo-${i % 5}`, title: `Task ${ids.length + i}`, priority: `P${i % 4}`, dependsOn }
    })
    const { results } = await gateway.call('tasks_bulk', { operations })
    ids.push(...results.map(({ taskId }: { taskId: string }) => taskId))
  }
}

async function all(gateway: TestGateway): Promise<Task[]> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const page = await gateway.call('tasks_list', { limit: 500, ...(cursor !== undefined && { cursor }) })
    tasks.push(...page.tasks)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tasks
}

/** Requests over real connections. To lose an answer, the connection is closed as soon as the request is sent. */
class Client {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async send(method: string, path: string, body: object, lost = false): Promise<any> {
    const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers: { 'content-type': 'application/json' } })
    if (lost) {
      sent.on('error', () => {})
      sent.end(JSON.stringify(body))
      await once(sent, 'finish')
      sent.destroy()
      return undefined
    }
    sent.end(JSON.stringify(body))
    const [response] = await once(sent, 'response')
    const chunks = await response.toArray()
    assert.ok(response.statusCode < 500, `${method} ${path}: ${response.statusCode}`)
    return JSON.parse(Buffer.concat(chunks).toString())
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A barrier for workers; the last to arrive runs `then` for all of them. */
function meeting(size: number, then: () => Promise<void>) {
  let expected = size
  let waiting: (() => void)[] = []
  const check = async (): Promise<void> => {
    if (expected === 0 || waiting.length < expected) return
    const released = waiting
    await then()
    waiting = waiting.filter((release) => !released.includes(release))
    for (const release of released) release()
  }
  return {
    async arrive(): Promise<void> {
      const met = new Promise<void>((resolve) => waiting.push(resolve))
      await check()
      await met
    },
    leave(): void {
      expected--
      void check()
    },
  }
}

/** Generates the same numbers in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
