import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Atomically, type Collection, isToolError, type Transaction } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { lacksServer, mongoServer } from '../../kernel/storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../kernel/storage-mongodb/test/mongodb-subject.ts'
import { swarms } from '../../plugins/swarms/src/collections.ts'
import { childChanges } from '../../plugins/swarms/src/contributions/tasks-change.ts'
import { edges, tasks } from '../../plugins/tasks/src/collections.ts'
import { recount, relink, settleDependents } from '../../plugins/tasks/src/operations/dependencies.ts'

// Transactions that decide by a record that another node changes before their commit: the store has to run one of them again.

/** Time that the other node needs at most if the two do not conflict; with a conflict the first waits that long. */
const PATIENCE_MS = 1_000

interface Doc {
  readonly taskId?: string
  readonly swarmId?: string
  readonly edgeId?: string
  readonly status?: string
  readonly waitingOn?: number
  readonly dependents?: number
  readonly dependsOn?: readonly string[]
  readonly upstream?: string
  readonly downstream?: string
  readonly waiting?: boolean
  readonly priority?: string
  readonly repo?: string
  readonly title?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly outputTokens?: number
  readonly tokensSpent?: number
  readonly participants?: readonly string[]
}
interface Node {
  readonly atomically: Atomically
  readonly tasks: Collection<Doc>
  readonly edges: Collection<Doc>
  readonly swarms: Collection<Doc>
}

const lacking = lacksServer()
describe(`two nodes that decide by what the other changes${lacking === undefined ? '' : ` (${lacking})`}`, {
  skip: lacking !== undefined,
}, () => {
  const server = lacking === undefined ? mongoServer() : undefined
  after(async () => (await server)?.stop())

  async function twoNodes(): Promise<{ nodes: readonly [Node, Node]; dispose(): Promise<void> }> {
    const subject = await mongoSubject((await server)?.url ?? '', { clock: testClock() })
    const stores = [subject.store, await subject.reopen()]
    for (const store of stores) await store.prepare([tasks, edges, swarms])
    const nodes = stores.map((store) => ({
      atomically: store.atomically('local'),
      tasks: store.collection<Doc>(tasks, 'local'),
      edges: store.collection<Doc>(edges, 'local'),
      swarms: store.collection<Doc>(swarms, 'local'),
    }))
    return { nodes: nodes as unknown as readonly [Node, Node], dispose: () => subject.dispose() }
  }

  /** Runs `decide` in a transaction of the first node, and `change` at the second between its reads and its commit. */
  async function inTheMiddle(first: Node, decide: (tx: Transaction) => Promise<void>, change: () => Promise<unknown>): Promise<void> {
    let changing: Promise<unknown> | undefined
    await first
      .atomically(async (tx) => {
        await decide(tx)
        changing ??= change().catch(ifRefused)
        // Two transactions that conflict cannot both end, so the other one may be waiting for this one.
        await Promise.race([changing, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
      })
      .catch(ifRefused)
    await changing
  }

  /** A refusal of the contract is one of the good outcomes. */
  function ifRefused(error: unknown): void {
    if (!isToolError(error)) throw error
  }

  const task = (taskId: string, fields: Doc = {}): Doc => ({
    taskId,
    status: 'pending',
    priority: 'P2',
    repo: 'web',
    title: taskId,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    outputTokens: 0,
    dependsOn: [],
    dependents: 0,
    waitingOn: 0,
    ...fields,
  })
  const uses = (node: Node) => ({ tasks: node.tasks, edges: node.edges, claimable: { emit() {} } }) as never

  test('a child that is given back while its swarm is stopped elsewhere is not left for claimers', async (t) => {
    const { nodes, dispose } = await twoNodes()
    t.after(dispose)
    const [first, second] = nodes
    await first.swarms.insert({ swarmId: 'swarm-1', status: 'active', tokensSpent: 0, participants: ['ada'] })
    const before = task('child', { swarmId: 'swarm-1', status: 'review' })
    await first.tasks.insert(before)
    const pause = (node: Node, tx: Transaction) =>
      node.tasks.in(tx).updateMany({ swarmId: 'swarm-1', status: 'pending' }, { set: { status: 'paused' } })
    const participant = childChanges.create({ swarms: first.swarms, updated: { emit() {} } } as never, {} as never) as {
      apply(change: object, tx: Transaction, tasks: object): Promise<void>
    }
    await inTheMiddle(
      first,
      async (tx) => {
        const after = await first.tasks.in(tx).updateOne('child', { set: { status: 'pending' } })
        await participant.apply({ before, after, outputTokensDelta: 0 }, tx, { pause: () => pause(first, tx) })
      },
      () =>
        second.atomically(async (tx) => {
          await second.swarms.in(tx).updateOne('swarm-1', { set: { status: 'stopped' } })
          await pause(second, tx)
        }),
    )
    assert.equal((await second.swarms.get('swarm-1'))?.status, 'stopped')
    assert.equal((await second.tasks.get('child'))?.status, 'paused')
  })

  test('a task that returns from the trash while its upstream ends elsewhere waits for nothing', async (t) => {
    const { nodes, dispose } = await twoNodes()
    t.after(dispose)
    const [first, second] = nodes
    const upstream = task('up', { status: 'working', dependents: 1 })
    await first.tasks.insert(upstream)
    await first.edges.insert({ edgeId: 'down<up', upstream: 'up', downstream: 'down', waiting: true })
    const down = task('down', { dependsOn: ['up'] })
    await inTheMiddle(
      first,
      async (tx) => {
        const counts = await recount(uses(first), down as never, tx)
        await first.tasks.in(tx).insert({ ...down, ...counts })
      },
      () =>
        second.atomically(async (tx) => {
          await settleDependents(uses(second), upstream as never, 'done', tx)
          await second.tasks.in(tx).updateOne('up', { set: { status: 'done' } })
        }),
    )
    assert.deepEqual([(await second.tasks.get('up'))?.status, (await second.tasks.get('down'))?.waitingOn], ['done', 0])
  })

  test('two halves of a cycle that are added at two nodes do not both stand', async (t) => {
    const { nodes, dispose } = await twoNodes()
    t.after(dispose)
    const [first, second] = nodes
    // b waits for c, and d waits for a; the first node makes a wait for b, the second one c for d.
    const [a, c] = [task('a', { dependents: 1 }), task('c', { dependents: 1 })]
    await first.tasks.insertMany([a, c, task('b', { dependsOn: ['c'], waitingOn: 1 }), task('d', { dependsOn: ['a'], waitingOn: 1 })])
    await first.edges.insertMany([
      { edgeId: 'b<c', upstream: 'c', downstream: 'b', waiting: true },
      { edgeId: 'd<a', upstream: 'a', downstream: 'd', waiting: true },
    ])
    const add = (node: Node, downstream: Doc, upstream: string, tx: Transaction) => relink(uses(node), downstream as never, [upstream], tx)
    await inTheMiddle(
      first,
      async (tx) => void (await add(first, a, 'b', tx)),
      () => second.atomically((tx) => add(second, c, 'd', tx)),
    )
    const added = await second.edges.count({ edgeId: { in: ['a<b', 'c<d'] } })
    assert.equal(added, 1)
  })
})
