import assert from 'node:assert/strict'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import tasks from '../src/index.ts'
import type { ShownTask as Task } from '../src/schema.ts'

export type { Task, TestGateway }

export const MINUTE = 60
export const HOUR = 3_600

export function start({
  plugins = [],
  ...options
}: Partial<TestGatewayOptions> & { plugins?: readonly Plugin[] } = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [trash, tasks, ...plugins], ...options })
}

export async function create(gateway: TestGateway, args: object = {}, options?: CallOptions): Promise<Task> {
  return (await gateway.call('tasks_create', { repo: 'web', title: 'A task', ...args }, options)).task
}

export async function update(gateway: TestGateway, { taskId }: Pick<Task, 'taskId'>, args: object, options?: CallOptions): Promise<Task> {
  return (await gateway.call('tasks_update', { taskId, ...args }, options)).task
}

export async function fail(gateway: TestGateway, { taskId }: Pick<Task, 'taskId'>, args: object = {}): Promise<Task> {
  return (await gateway.call('tasks_fail', { taskId, error: 'it broke', ...args })).task
}

export async function get(gateway: TestGateway, { taskId }: Pick<Task, 'taskId'>): Promise<Task> {
  return (await gateway.call('tasks.get', { taskId })).task
}

export async function claim(gateway: TestGateway, args: object = {}): Promise<Task | undefined> {
  return (await gateway.call('tasks_claim', { claimedBy: 'ada', ...args })).task
}

/** A task that is working, with a claim. */
export async function working(gateway: TestGateway, args: object = {}): Promise<Task & { claimId: string }> {
  const task = await claim(gateway, { taskId: (await create(gateway, args)).taskId })
  assert.ok(task?.claimId)
  return { ...task, claimId: task.claimId }
}

export function alerts(gateway: TestGateway, source: string) {
  return gateway.logs.filter((line) => line.event === 'gateway.alert' && line.source === source)
}

export function at(gateway: TestGateway, seconds = 0): string {
  return new Date(gateway.clock.now() + seconds * 1000).toISOString()
}
