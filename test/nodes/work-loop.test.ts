import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { database, Node, skip } from './nodes.ts'

interface Task {
  readonly taskId: string
  readonly title: string
  readonly claimId: string
  readonly leaseUntil: string
}
interface Claimed {
  readonly claimed: boolean
  readonly task: Task
}
interface Journal {
  readonly events: readonly { readonly id: string; readonly event: string; readonly cursor: string }[]
  readonly cursor: string
  readonly more: boolean
}

// Safe retries, waiting calls, leases and the journal of events, where each call may reach another gateway than the one before.
describe(`the loop of a worker over two gateways${skip ? ` (${skip})` : ''}`, { skip: skip !== false, timeout: 600_000 }, () => {
  let a: Node
  let b: Node
  before(async () => {
    const url = database()
    a = await new Node(url).start()
    b = await new Node(url).start()
  })
  after(async () => {
    await Promise.all([a?.dispose(), b?.dispose()])
  })

  const create = async (node: Node, args: object): Promise<Task> => (await node.call('tasks_create', { title: 'x', ...args })).task as Task
  const claim = async (node: Node, args: object): Promise<Claimed> =>
    (await node.call('tasks_claim', { claimedBy: 'ada', ...args })) as unknown as Claimed
  const waiting = async (node: Node, count: number): Promise<void> => {
    while (!(await node.get('/metrics')).includes(`gateway_calls_waiting ${count}\n`)) await sleep(50)
  }

  test('a claim that waits at one is answered by a task created at the other, and so is an inbox by mail', async () => {
    const claimed = claim(b, { repo: 'waited', waitSeconds: 55 })
    const inbox = b.call('mail_inbox', { to: 'waited', waitSeconds: 55 })
    await waiting(b, 2)
    const { taskId } = await create(a, { repo: 'waited' })
    await a.call('mail_send', { to: 'waited', subject: 'hello' })
    assert.equal((await claimed).task.taskId, taskId)
    assert.equal(((await inbox).messages as { subject: string }[])[0]?.subject, 'hello')
  })

  test('of claims that wait at both, one gets the task and the others keep waiting', async () => {
    const claims = [a, b, a, b].map((node) => claim(node, { repo: 'shared', waitSeconds: 55 }))
    await Promise.all([waiting(a, 2), waiting(b, 2)])
    await create(a, { repo: 'shared' })
    await Promise.any([Promise.all([waiting(a, 1), waiting(b, 2)]), Promise.all([waiting(a, 2), waiting(b, 1)])])
    for (const node of [b, a, b]) await create(node, { repo: 'shared' })
    const got = await Promise.all(claims)
    assert.equal(new Set(got.map(({ task }) => task.taskId)).size, 4)
  })

  test('a key has one effect and one answer, whichever gateway is asked, and refuses other arguments', async () => {
    const keyed = (node: Node, key: string, title: string) =>
      node.post('/api/tools/tasks_create', { repo: 'keyed', title }, { 'idempotency-key': key })
    const answered = async (node: Node, key: string): Promise<Task> => {
      for (;;) {
        const { status, json } = await keyed(node, key, key)
        if (status === 200) return json.task as Task
        assert.equal(json.code, 'IDEMPOTENCY_IN_PROGRESS', JSON.stringify(json))
        await sleep(50)
      }
    }
    const keys = Array.from({ length: 12 }, (_, n) => `key-${n}`)
    const pairs = await Promise.all(keys.map((key) => Promise.all([answered(a, key), answered(b, key)])))
    for (const [one, other] of pairs) assert.deepEqual(one, other)
    const { tasks } = await a.call('tasks_list', { repo: 'keyed', limit: 100 })
    assert.equal((tasks as Task[]).length, keys.length)
    const again = await keyed(b, 'key-0', 'key-0')
    assert.deepEqual([again.status, again.isReplay], [200, true])
    const other = await keyed(b, 'key-0', 'another title')
    assert.deepEqual([other.status, other.json.code], [409, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('claims with keys at both gateways each get a task of their own, and a repeated one the same', async () => {
    const count = 12
    for (let n = 0; n < count; n++) await create(a, { repo: 'claims', title: `task ${n}` })
    const claimOnce = async (n: number, node: Node): Promise<string> => {
      for (;;) {
        const args = { repo: 'claims', claimedBy: `worker-${n}` }
        const { status, json } = await node.post('/api/tools/tasks_claim', args, { 'idempotency-key': `claim-${n}` })
        if (status === 200) return (json as unknown as Claimed).task.taskId
        assert.match(String(json.code), /^(IDEMPOTENCY_IN_PROGRESS|UNAVAILABLE)$/)
        await sleep(50)
      }
    }
    const first = await Promise.all(Array.from({ length: count }, (_, n) => claimOnce(n, n % 2 === 0 ? a : b)))
    assert.equal(new Set(first).size, count)
    assert.deepEqual(await Promise.all(first.map((_, n) => claimOnce(n, n % 2 === 0 ? b : a))), first)
  })

  test('a lease taken at one is extended at the other, with its claim alone', async () => {
    await create(a, { repo: 'leased' })
    const { task } = await claim(a, { repo: 'leased', leaseSeconds: 60 })
    const { taskId, claimId } = task
    const extended = (await b.call('tasks_update', { taskId, claimId, leaseSeconds: 3_600 })).task as Task
    assert.ok(Date.parse(extended.leaseUntil) - Date.parse(task.leaseUntil) > 3_000_000)
    const late = await b.post('/api/tools/tasks_update', { taskId, claimId: 'claim-of-another', leaseSeconds: 60 })
    assert.deepEqual([late.status, late.json.code], [409, 'CONFLICT'])
  })

  test('claims keep to the named agents, and to tasks of nobody unless told otherwise', async () => {
    await create(a, { repo: 'assigned', title: 'of grace', assignedAgent: 'grace' })
    await create(a, { repo: 'assigned', title: 'of nobody' })
    const filter = { repo: 'assigned', assignedAgents: ['ada'] }
    assert.equal((await claim(b, { ...filter, unassigned: false })).claimed, false)
    assert.equal((await claim(b, filter)).task.title, 'of nobody')
    assert.equal((await claim(b, filter)).claimed, false)
    assert.equal((await claim(b, { ...filter, assignedAgents: ['grace'] })).task.title, 'of grace')
  })

  test('both read one journal: every event once, in one order, however many read at the same time', async () => {
    const read = async (node: Node): Promise<readonly string[]> => {
      const ids: string[] = []
      for (let since = ''; ; ) {
        const page = JSON.parse(await node.get(`/api/events?limit=20${since && `&since=${since}`}`)) as Journal
        ids.push(...page.events.map(({ id }) => id))
        since = page.cursor
        if (!page.more) return ids
      }
    }
    const made = [a, b, a, b, a, b].map((node, n) => create(node, { repo: 'told', title: `event ${n}` }))
    await Promise.all([...made, read(a), read(b), read(a)])
    const [one, other] = await Promise.all([read(a), read(b)])
    assert.ok(one.length >= 6)
    assert.equal(new Set(one).size, one.length)
    assert.deepEqual(one, other)
  })
})
