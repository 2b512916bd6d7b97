import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import fleet from '../src/index.ts'

export type { TestGateway }

export const needed = [trash, tasks]
export const MINUTE = 60

export function start({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [...needed, fleet, ...plugins], ...options })
}

export const of = (tenantId: string) => ({ as: { tenantId, id: `ann@${tenantId}`, kind: 'user', role: 'admin' } }) as const

export const at = (gateway: TestGateway, seconds = 0): string => new Date(gateway.clock.now() + seconds * 1000).toISOString()
