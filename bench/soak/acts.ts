import type { Tool } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { sampleValue } from '../../test/support/sample-arguments.ts'
import type { SoakClient } from './client.ts'
import { KEPT_SHARE, keep } from './kept.ts'
import type { SoakTenant } from './tenant.ts'

export interface Agent {
  readonly tenant: SoakTenant
  readonly name: string
}
type Act = (client: SoakClient, agent: Agent, random: () => number) => Promise<unknown>

const LEASE_SECONDS = 3_600
const WORDS = ['cache', 'queue', 'retry', 'index', 'backup', 'release', 'billing', 'search', 'login', 'export']
const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T

/** Tools that only read, of every family; they show what others have written, if tenants are not kept apart. */
const readers: readonly { readonly family: string; readonly name: string; readonly args: object }[] = standardPlugins.flatMap((plugin) =>
  plugin.tools
    .filter((tool) => tool.effect === 'read' && tool.capability === 'read' && !(tool as Tool).openWorld)
    .map((tool) => ({ family: plugin.id, name: tool.name, args: sampleValue(tool.input, false) as object })),
)

async function work(client: SoakClient, { tenant, name }: Agent, random: () => number): Promise<void> {
  const claim = await client.call(tenant, 'tasks', 'tasks_claim', { claimedBy: name, leaseSeconds: LEASE_SECONDS })
  const task = claim?.task as { taskId: string; claimId: string } | undefined
  if (!task) return
  await client.call(tenant, 'logs', 'logs_record', { correlationId: task.taskId, message: `${tenant.mark} began` })
  if (random() < 0.1) {
    await client.call(tenant, 'tasks', 'tasks_fail', { taskId: task.taskId, claimId: task.claimId, error: `${tenant.mark} failed` })
    return
  }
  const done = await client.call(tenant, 'tasks', 'tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'done' })
  if (done) tenant.ledger.tasks.set(task.taskId, 'done')
}

async function create(client: SoakClient, { tenant }: Agent, random: () => number): Promise<void> {
  const args = {
    repo: pick(WORDS, random),
    title: `${tenant.mark} ${pick(WORDS, random)}`,
    priority: pick(['P0', 'P1', 'P2', 'P3'], random),
  }
  const created = (await client.call(tenant, 'tasks', 'tasks_create', args)) as { task: { taskId: string } } | undefined
  const id = created?.task.taskId
  if (id !== undefined && !tenant.ledger.tasks.has(id)) tenant.ledger.tasks.set(id, 'open')
}

async function mail(client: SoakClient, { tenant, name }: Agent, random: () => number): Promise<void> {
  if (random() < 0.5) {
    const args = { to: `box-${tenant.tenantId}`, from: name, subject: tenant.mark, body: pick(WORDS, random) }
    const sent = (await client.call(tenant, 'mailbox', 'mail_send', args)) as { message: { messageId: string } } | undefined
    if (sent) tenant.ledger.messages.add(sent.message.messageId)
    return
  }
  const inbox = await client.call(tenant, 'mailbox', 'mail_inbox', { to: `box-${tenant.tenantId}`, limit: 5 })
  const [first] = (inbox?.messages ?? []) as { messageId: string }[]
  if (first) await client.call(tenant, 'mailbox', 'mail_ack', { id: first.messageId })
}

async function recall(client: SoakClient, { tenant }: Agent, random: () => number): Promise<void> {
  await client.call(tenant, 'memory', 'memory_search', { query: pick(WORDS, random) })
}

/** Begins as an agent does, with the context of its repo. */
async function begin(client: SoakClient, { tenant, name }: Agent, random: () => number): Promise<void> {
  await client.call(tenant, 'runners', 'runner_heartbeat', { machine: `${tenant.mark}-${name}` })
  await client.call(tenant, 'context', 'context_boot', { repo: 'cache', query: pick(WORDS, random) })
}

async function lock(client: SoakClient, { tenant, name }: Agent, random: () => number): Promise<void> {
  const holder = `host/${name}`
  const key = pick(WORDS, random)
  const got = await client.call(tenant, 'leases', 'lease_acquire', { key, holder, leaseSeconds: 600 })
  const lease = got?.lease as { epoch: number } | undefined
  if (lease) await client.call(tenant, 'leases', 'lease_release', { key, holder, epoch: lease.epoch })
}

async function look(client: SoakClient, { tenant }: Agent, random: () => number): Promise<void> {
  const { family, name, args } = pick(readers, random)
  await client.call(tenant, family, name, args)
}

const ACTS: readonly (readonly [number, Act])[] = [
  [0.25, work],
  [0.2, create],
  [0.13, mail],
  [0.04, recall],
  [0.05, lock],
  [0.02, begin],
  [KEPT_SHARE, (client, { tenant }, random) => keep(client, tenant, random())],
]

export function act(client: SoakClient, agent: Agent, random: () => number): Promise<unknown> {
  let luck = random()
  for (const [share, one] of ACTS) {
    if (luck < share) return one(client, agent, random)
    luck -= share
  }
  return look(client, agent, random)
}
