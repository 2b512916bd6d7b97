import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { startTestGateway, type TestGatewayOptions } from '@gateway/testing'
import { warmGateway } from '../crash/gateway/spawn.ts'
import { droppingProxy } from './dropping-proxy.ts'

const CALLERS = 16
const DROPPED_SHARE = 0.1
const REPO = 'alpha'

interface Task {
  readonly taskId: string
  readonly title: string
  readonly status: string
  readonly claimId?: string
}

const UNLIMITED = { GATEWAY_CALLS_PER_MINUTE_PER_KEY: '0' }

/** Works with a gateway in this process. */
export async function workWithoutKills(calls: number, plugins: TestGatewayOptions['plugins']): Promise<void> {
  await using gateway = await startTestGateway({ plugins, listen: true, env: UNLIMITED })
  const proxy = await droppingProxy(DROPPED_SHARE)
  proxy.sendTo(gateway.url)
  try {
    await workOnce(
      calls,
      () => proxy.url,
      async () => gateway.url,
    )
    assert.ok(proxy.dropped > 0)
  } finally {
    proxy.close()
  }
}

/** Works with a gateway in a process of its own, which is killed every `killEveryMs`. */
export async function workWithKills(calls: number, killEveryMs: number, minKills: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-retries-'))
  const start = (warm = warmGateway()) => warm.start({ GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0', ...UNLIMITED })
  const proxy = await droppingProxy(DROPPED_SHARE)
  let gateway = await start()
  proxy.sendTo(gateway.url)
  let kills = 0
  let isDone = false
  async function killOften(): Promise<void> {
    while (!isDone || kills < minKills) {
      const spare = warmGateway()
      try {
        await Promise.all([spare.ready, after(killEveryMs)])
        await gateway.kill()
        kills++
        gateway = await start(spare)
      } catch (error) {
        await spare.kill()
        throw error
      }
      proxy.sendTo(gateway.url)
    }
  }
  const killing = killOften()
  try {
    await workOnce(
      calls,
      () => proxy.url,
      async () => {
        isDone = true
        await killing
        return gateway.url
      },
    )
    assert.ok(kills >= minKills && proxy.dropped > 0)
  } finally {
    isDone = true
    await killing.catch(() => {})
    await gateway.kill()
    proxy.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Creates `calls / 2` tasks and claims as many, through a proxy that drops answers. Each call is repeated with its key until it is answered.
 * Then every task was created once, and every claim has a task of its own. `addressOf` gives the address for the next attempt, and
 * `end` the one at which the result is read.
 */
export async function workOnce(calls: number, addressOf: () => string, end: () => Promise<string>): Promise<void> {
  const half = Math.floor(calls / 2)
  const created = await inParallel(half, (n) =>
    answered<{ task: Task }>(addressOf, 'tasks_create', { repo: REPO, title: `task ${n}` }, `create-${n}`),
  )
  const claimed = await inParallel(half, (n) =>
    answered<{ claimed: boolean; task: Task }>(addressOf, 'tasks_claim', { repo: REPO, claimedBy: `worker-${n}` }, `claim-${n}`),
  )
  const stored = await allTasks(await end())
  const empty = claimed.flatMap((answer, n) => (answer.claimed ? [] : [{ n, answer }]))
  const unclaimed = stored.filter(({ claimId }) => claimId === undefined)
  const held = new Set(claimed.map(({ task }) => task?.claimId))
  const twice = stored.filter(({ claimId }) => claimId !== undefined && !held.has(claimId))
  assert.deepEqual(
    { empty, unclaimed, twice },
    { empty: [], unclaimed: [], twice: [] },
    'each claim found a task, and no other claim was made',
  )
  assert.equal(stored.length, half, 'no task was created twice, and none is lost')
  const byId = new Map(stored.map((task) => [task.taskId, task]))
  for (const [n, { task }] of created.entries()) assert.equal(byId.get(task.taskId)?.title, `task ${n}`)
  for (const { task } of claimed)
    assert.equal(byId.get(task.taskId)?.claimId, task.claimId, 'the claim that was answered is the one that holds')
  assert.equal(new Set(claimed.map(({ task }) => task.taskId)).size, half, 'no task was claimed twice')
}

async function inParallel<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const run = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n)
  }
  await Promise.all(Array.from({ length: CALLERS }, run))
  return results
}

/** Repeats the call with its key until an answer arrives. */
async function answered<T>(addressOf: () => string, tool: string, args: object, key: string): Promise<T> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const response = await fetch(`${addressOf()}/api/tools/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(args),
    }).catch(() => undefined)
    const body = (await response?.json().catch(() => undefined)) as { code?: unknown } | undefined
    if (response?.ok && body !== undefined) return body as T
    if (body !== undefined) assert.match(String(body.code), /^(UNAVAILABLE|IDEMPOTENCY_IN_PROGRESS)$/, JSON.stringify(body))
    await after(20)
  }
  throw new Error(`${tool} was not answered`)
}

async function allTasks(url: string): Promise<readonly Task[]> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const query = `repo=${REPO}&limit=500${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const page = (await (await fetch(`${url}/api/tasks?${query}`)).json()) as { tasks: readonly Task[]; nextCursor?: string }
    tasks.push(...page.tasks)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tasks
}
