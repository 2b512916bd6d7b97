import mailbox from '@gateway/plugin-mailbox'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import dispatch from '../src/index.ts'

export type { TestGateway }

export const needed = [trash, tasks, mailbox, swarms]

export function start({
  plugins = [],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, dispatch, ...plugins], ...options })
}

export interface Task {
  readonly taskId: string
  readonly title: string
  readonly status: string
  readonly [field: string]: unknown
}
export interface Message {
  readonly messageId: string
  readonly to: string
  readonly from: string
  readonly kind: string
  readonly subject: string
  readonly body: string
  readonly replyTo?: string
  readonly acked: boolean
  readonly ackedBy?: string
}

export const delegate = (gateway: TestGateway, args: object = {}, options?: CallOptions) =>
  gateway.call('dispatch_delegate', { from: 'ada', work: 'Fix it', ...args }, options)
export const convert = (gateway: TestGateway, args: object = {}, options?: CallOptions) =>
  gateway.call('mail_claim_as_task', { address: 'web', claimedBy: 'worker', ...args }, options)
export const reply = (gateway: TestGateway, taskId: string, args: object = {}) =>
  gateway.call('mail_task_result', { taskId, outcome: 'done', ...args })

export const ask = async (gateway: TestGateway, args: object = {}): Promise<Message> =>
  (await gateway.call('mail_send', { to: 'web', from: 'ada', kind: 'request', subject: 'Fix it', ...args })).message
export const create = async (gateway: TestGateway, args: object = {}): Promise<Task> =>
  (await gateway.call('tasks_create', { repo: 'web', title: 'A task', ...args })).task
export const get = async (gateway: TestGateway, taskId: string): Promise<Task> => (await gateway.call('tasks.get', { taskId })).task
export const tasksOf = async (gateway: TestGateway): Promise<Task[]> => (await gateway.call('tasks_list', { limit: 500 })).tasks
export const mail = async (gateway: TestGateway, to: string): Promise<Message[]> =>
  (await gateway.call('mail_inbox', { to, includeAcked: true, limit: 200 })).messages
