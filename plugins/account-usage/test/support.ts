import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const NOW = '2026-03-15T12:00:00.000Z'
export const HOUR_MS = 3_600_000
/** This many hours after now. */
export const hour = (offset: number): string => new Date(Date.parse(NOW) + offset * HOUR_MS).toISOString()

export async function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ plugins: [plugin], ...options })
  gateway.clock.set(NOW)
  return gateway
}

export const bucket = (offset: number, output: number, more: object = {}): object => ({
  account: 'max-1',
  host: 'h',
  hour: hour(offset),
  model: 'm',
  output,
  ...more,
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export async function statusOf(gateway: TestGateway, args: object = {}): Promise<any> {
  return (await gateway.call('account_usage_status', { account: 'max-1', ...args })).accounts[0]
}
