import assert from 'node:assert/strict'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import recurring from '../src/index.ts'
import type { RecurringTask } from '../src/schema.ts'

export type { RecurringTask, TestGateway }

export const needed = [trash, tasks]

export function start({
  plugins = [recurring],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, ...plugins], ...options })
}

export const MINUTE = 60
export const HOUR = 3_600

export const admin = { kind: 'user', role: 'admin', id: 'ann', tenantId: 'acme' } as const

/** Creates a template that fires every five minutes by default. The clock of a test is at 09:00 of a Monday. */
export async function create(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<RecurringTask> {
  const given = { name: 'A template', cronExpr: '*/5 * * * *', repo: 'web', title: 'Tidy up', ...args }
  return (await gateway.call('recurring_tasks_create', given, options)).recurringTask
}

type Named = Pick<RecurringTask, 'recurringId'>

export async function update(gateway: TestGateway, { recurringId }: Named, args: object, options?: CallOptions): Promise<RecurringTask> {
  return (await gateway.call('recurring_tasks_update', { recurringId, ...args }, options)).recurringTask
}

export const runNow = (gateway: TestGateway, { recurringId }: Named, options?: CallOptions) =>
  gateway.call('recurring_tasks_run_now', { recurringId }, options)

export async function list(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<RecurringTask[]> {
  return (await gateway.call('recurring_tasks_list', args, options)).recurringTasks
}

export async function get(gateway: TestGateway, { recurringId }: Named, options?: CallOptions): Promise<RecurringTask> {
  const found = (await list(gateway, {}, options)).find((one) => one.recurringId === recurringId)
  assert.ok(found)
  return found
}

interface Task {
  readonly taskId: string
  readonly repo: string
  readonly title: string
  readonly status: string
  readonly source: string
  readonly sourceId?: string
}

/** Returns the tasks in the queue, oldest first where priorities are equal. */
export async function queued(gateway: TestGateway, options?: CallOptions): Promise<Task[]> {
  return (await gateway.call('tasks_list', { limit: 500 }, options)).tasks
}

export const sweep = (gateway: TestGateway): Promise<void> => gateway.runJob('recurring.sweep')

export const at = (time: string, day = '2026-01-05'): string => `${day}T${time}:00.000Z`
