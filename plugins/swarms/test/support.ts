import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import swarms from '../src/index.ts'
import type { Child, Swarm } from '../src/schema.ts'

export type { Child, Swarm, TestGateway }

export const needed = [trash, tasks, mailbox]

export function start({
  plugins = [swarms],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, ...plugins], ...options })
}

export interface Whole {
  readonly swarm: Swarm
  readonly children: readonly (Child & { readonly taskId: string })[]
}

/** Two children, the second waiting for the first, unless the test says otherwise. */
export function plan(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<Whole> {
  const children = [{ title: 'first' }, { title: 'second', dependsOnIndexes: [0] }]
  return gateway.call('swarm_plan', { repo: 'web', goal: 'Ship it', createdBy: 'director', children, ...args }, options)
}

type Named = Pick<Swarm, 'swarmId'>

export const approve = (gateway: TestGateway, { swarmId }: Named, args: object = {}): Promise<Whole & { approved: number }> =>
  gateway.call('swarm_approve', { swarmId, ...args })
export const stop = (gateway: TestGateway, { swarmId }: Named, args: object = {}): Promise<Whole & { paused: number; mailed: number }> =>
  gateway.call('swarm_stop', { swarmId, ...args })
export const get = (gateway: TestGateway, { swarmId }: Named, options?: CallOptions): Promise<Whole> =>
  gateway.call('swarm_get', { swarmId }, options)
export const setBudget = (gateway: TestGateway, { swarmId }: Named, tokenBudget: number, args: object = {}): Promise<Whole> =>
  gateway.call('swarm_update_budget', { swarmId, tokenBudget, ...args })

export async function active(gateway: TestGateway, args: object = {}): Promise<Whole> {
  return approve(gateway, (await plan(gateway, args)).swarm, { approvedBy: 'operator' })
}

export async function update(gateway: TestGateway, taskId: string | undefined, args: object) {
  return (await gateway.call('tasks_update', { taskId, ...args })).task
}
export const claim = async (gateway: TestGateway, args: object = {}) =>
  (await gateway.call('tasks_claim', { claimedBy: 'ada', ...args })).task

export interface Mail {
  readonly to: string
  readonly from: string
  readonly kind: string
  readonly subject: string
  readonly body: string
  readonly swarmId?: string
}
export const mail = async (gateway: TestGateway, to: string | readonly string[]): Promise<Mail[]> =>
  (await gateway.call('mail_inbox', { to, includeAcked: true })).messages

export const statuses = ({ children }: Pick<Whole, 'children'>): string[] => children.map(({ status }) => status)
export const shown = ({ children }: Pick<Whole, 'children'>): string[] => children.map(({ displayStatus }) => displayStatus)
