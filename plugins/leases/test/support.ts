import assert from 'node:assert/strict'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import type { Lease } from '../src/api.ts'
import leases from '../src/index.ts'

export type { Lease, TestGateway }

export const ADA = 'forge/lane-1/41'
export const BOB = 'anvil/lane-1/7'

export function start({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [leases, ...plugins], ...options })
}

export const acquire = (gateway: TestGateway, holder: string, args: object = {}, options?: CallOptions) =>
  gateway.call('lease_acquire', { key: 'deploy', holder, ...args }, options)

/** The acquired lease, for a test that continues from there. */
export async function held(gateway: TestGateway, holder: string, args: object = {}): Promise<Lease> {
  const { acquired, lease } = await acquire(gateway, holder, args)
  assert.equal(acquired, true)
  return lease
}

export const heartbeat = (gateway: TestGateway, { key, holder, epoch }: Lease, args: object = {}) =>
  gateway.call('lease_heartbeat', { key, holder, epoch, ...args })

export const release = (gateway: TestGateway, { key, holder, epoch }: Lease, args: object = {}, options?: CallOptions) =>
  gateway.call('lease_release', { key, holder, epoch, ...args }, options)

export async function list(gateway: TestGateway, args: object = {}): Promise<(Lease & { stale: boolean })[]> {
  return (await gateway.call('lease_list', args)).leases
}

export const at = (gateway: TestGateway, seconds = 0): string => new Date(gateway.clock.now() + seconds * 1000).toISOString()
