import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MongoClient } from 'mongodb'
import { database, Node, skip } from './nodes.ts'

// Workers over three gateways on one database, while gateways are killed and started again.

const WORKERS = 60

const TASKS = Number(process.env.NODE_TASKS ?? 600)

interface Task {
  readonly taskId: string
  readonly status: string
  readonly claimId?: string
}

test(`three gateways, ${WORKERS} workers, nodes killed and started: each task is done once, each job fires once${
  skip ? ` (${skip})` : ''
}`, { skip: skip !== false, timeout: 300_000 }, async () => {
  const url = database()
  const nodes = [new Node(url), new Node(url), new Node(url)]
  try {
    for (const node of nodes) await node.start()
    const [first] = nodes as [Node]
    const operations = Array.from({ length: TASKS }, (_, n) => ({ action: 'create', repo: 'fleet', title: `task ${n}` }))
    for (let n = 0; n < TASKS; n += 40) await first.call('tasks_bulk', { operations: operations.slice(n, n + 40) })

    const claimed = new Map<string, number>()
    const done = new Set<string>()
    let working = true
    const disturbance = disturb(nodes, () => working)
    await Promise.all(Array.from({ length: WORKERS }, (_, n) => work(nodes, n, claimed, done)))
    working = false
    await disturbance

    const { tasks } = (await allTasks(first)) as { tasks: Task[] }
    assert.equal(tasks.length, TASKS, 'none is lost, none doubled')
    assert.deepEqual(
      [...claimed].filter(([, times]) => times > 1),
      [],
      'no task was claimed twice',
    )
    const byId = new Map(tasks.map((task) => [task.taskId, task]))
    for (const taskId of done) assert.equal(byId.get(taskId)?.status, 'done', 'what was acknowledged stands')
    // A lost answer leaves its task without a worker, until its lease ends.
    const open = tasks.filter(({ taskId, status }) => !done.has(taskId) && status === 'pending')
    assert.deepEqual(open, [], 'none was left over')
    await firedOnce(url)
  } finally {
    await Promise.all(nodes.map((node) => node.dispose()))
  }
})

/** Kills and restarts one of the gateways while work remains. */
async function disturb(nodes: readonly Node[], isGoingOn: () => boolean): Promise<void> {
  for (let turn = 0; isGoingOn() && turn < 6; turn++) {
    const node = nodes[turn % nodes.length] as Node
    await node.kill()
    await node.start()
  }
}

/** Claims and ends tasks at any gateway that answers, until none are left. */
async function work(nodes: readonly Node[], worker: number, claimed: Map<string, number>, done: Set<string>): Promise<void> {
  for (let at = worker; ; at++) {
    const answer = await ask(nodes, at, 'tasks_claim', { repo: 'fleet', claimedBy: `worker-${worker}` })
    if (answer === undefined) continue
    if (answer.claimed === false) return
    const { taskId, claimId } = answer.task as Task
    claimed.set(taskId, (claimed.get(taskId) ?? 0) + 1)
    while ((await ask(nodes, at++, 'tasks_update', { taskId, claimId, status: 'done' })) === undefined);
    done.add(taskId)
  }
}

/** Returns undefined when the gateway stopped before it answered: the outcome of the call is unknown. */
async function ask(nodes: readonly Node[], at: number, tool: string, args: object): Promise<Record<string, unknown> | undefined> {
  try {
    const { status, json } = await (nodes[at % nodes.length] as Node).post(`/api/tools/${tool}`, args)
    if (status === 503) return undefined
    assert.equal(status, 200, JSON.stringify(json))
    return json
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

async function allTasks(node: Node): Promise<{ tasks: Task[] }> {
  const tasks: Task[] = []
  let cursor: unknown
  do {
    const page = await node.call('tasks_list', { repo: 'fleet', limit: 100, ...(cursor !== undefined && { cursor }) })
    tasks.push(...(page.tasks as Task[]))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return { tasks }
}

/** A job that runs every second, on three nodes: each of its fires happens once. */
async function firedOnce(url: string): Promise<void> {
  const client = await MongoClient.connect(url)
  try {
    const fires = await client.db().collection('beat').find().toArray()
    const times = fires.map(({ d }) => Date.parse((d as { at: string }).at)).sort((x, y) => x - y)
    assert.ok(times.length >= 3, `it fired ${times.length} times`)
    const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1_000
    assert.ok(times.length <= seconds + 2, `${times.length} fires in ${seconds} s`)
  } finally {
    await client.close()
  }
}
