import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import connectors from '../src/index.ts'
import type { Connector } from '../src/schema.ts'

export type { Connector, TestGateway }

export function start({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [connectors, ...plugins], ...options })
}

export const list = async (gateway: TestGateway, as: object = {}): Promise<Connector[]> =>
  (await gateway.call('connectors_list', {}, { as })).connectors
export async function get(gateway: TestGateway, key: string): Promise<Connector | undefined> {
  return (await list(gateway)).find((connector) => connector.key === key)
}
export const set = async (gateway: TestGateway, key: string, args: object = {}): Promise<Connector> =>
  (await gateway.call('connectors_set', { key, ...args })).connector
export const toggle = async (gateway: TestGateway, key: string, enabled: boolean): Promise<Connector> =>
  (await gateway.call('connectors_toggle', { key, enabled })).connector
export const servers = async (gateway: TestGateway): Promise<Record<string, unknown>> =>
  (await gateway.call('connectors_mcp_config')).mcpServers
