import assert from 'node:assert/strict'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import runners from '../src/index.ts'
import type { PastSession, SlotLease } from '../src/schema.ts'

export type { PastSession, SlotLease, TestGateway }

export const needed = [trash, tasks]
export const HOUR = 3_600

export function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, runners], ...options })
}

export const acquire = (gateway: TestGateway, holder: string, args: object = {}) =>
  gateway.call('runner_lease_acquire', { holder, ...args })

export async function held(gateway: TestGateway, holder: string, args: object = {}): Promise<SlotLease> {
  const { acquired, lease } = await acquire(gateway, holder, args)
  assert.equal(acquired, true)
  return lease
}

export const heartbeat = (gateway: TestGateway, { holder, slot }: SlotLease, args: object = {}) =>
  gateway.call('runner_lease_heartbeat', { holder, slot, ...args })

export const release = (gateway: TestGateway, { holder, slot }: SlotLease) => gateway.call('runner_lease_release', { holder, slot })

export async function history(gateway: TestGateway, args: object = {}): Promise<PastSession[]> {
  return (await gateway.call('runner_lease_history', args)).history
}

export const at = (gateway: TestGateway, seconds = 0): string => new Date(gateway.clock.now() + seconds * 1000).toISOString()
