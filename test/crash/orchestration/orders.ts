import { Pool } from 'undici'
import { caller, Unanswered } from '../kill/fleet.ts'
import type { Caller } from '../kill/worker.ts'
import { type Random, upTo } from '../powercut/random.ts'

const CALLERS = 16

/** The answered and all requested orders of one round. */
export class Orders {
  readonly round: string
  /** Answered plans: the swarm, and its number of children. */
  readonly planned = new Map<string, number>()
  /** Every request that was sent, answered or not, by its subject. */
  readonly sent = new Set<string>()
  /** Answered requests: messageId by subject. */
  readonly stored = new Map<string, string>()
  /** Answered conversions: messageId to task. */
  readonly taken = new Map<string, string>()
  readonly broken: string[] = []

  constructor(round: string) {
    this.round = round
  }
}

/** Runs many callers until the gateway is killed under them. */
export async function runOrders(url: string, orders: Orders, random: Random, onAnswer: () => void): Promise<void> {
  const pool = new Pool(url, { connections: CALLERS })
  const ask = caller(pool)
  const call: Caller = async (tool, args) => {
    const answer = await ask(tool, args)
    onAnswer()
    return answer
  }
  const ends = await Promise.allSettled(Array.from({ length: CALLERS }, (_, n) => order(`caller-${n}`, call, orders, random)))
  await pool.destroy()
  for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof Unanswered)) throw end.reason
}

/** Ends with the connection. */
async function order(name: string, call: Caller, orders: Orders, random: Random): Promise<never> {
  for (let n = 0; ; n++) {
    const luck = random()
    if (luck < 0.4) await plan(`${orders.round} ${name} ${n}`, call, orders, random)
    else if (luck < 0.7) await request(`${orders.round} ${name} ${n}`, call, orders)
    else await take(name, call, orders)
  }
}

/** Each child waits for all before it. */
async function plan(goal: string, call: Caller, orders: Orders, random: Random): Promise<void> {
  const children = Array.from({ length: 1 + upTo(random, 5) }, (_, at) => ({
    title: `${goal}: ${at}`,
    dependsOnIndexes: Array.from({ length: at }, (_, i) => i),
  }))
  const { swarm } = await call('swarm_plan', { repo: orders.round, goal, children })
  orders.planned.set((swarm as { swarmId: string }).swarmId, children.length)
}

async function request(subject: string, call: Caller, orders: Orders): Promise<void> {
  orders.sent.add(subject)
  const { message } = await call('mail_send', { to: orders.round, from: 'asker', kind: 'request', subject })
  orders.stored.set(subject, (message as { messageId: string }).messageId)
}

async function take(claimedBy: string, call: Caller, orders: Orders): Promise<void> {
  const { claimed } = await call('mail_claim_as_task', { address: orders.round, claimedBy, maxPerPoll: 3 })
  for (const { messageId, taskId } of claimed as readonly { messageId: string; taskId: string }[]) {
    if (orders.taken.has(messageId)) orders.broken.push(`${messageId} was given out twice`)
    orders.taken.set(messageId, taskId)
  }
}
