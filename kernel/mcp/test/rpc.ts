import type { TestGateway } from '@gateway/testing'
import { type Read, send } from '../../http/test/requests.ts'

export interface RpcRead extends Read {
  readonly session: string | null
}

export async function post(gateway: TestGateway, body: unknown, headers: Record<string, string> = {}): Promise<RpcRead> {
  const read = await send(`${gateway.url}/mcp`, { method: 'POST', body, headers })
  return { ...read, session: read.headers.get('mcp-session-id') }
}

export function request(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }
}

export async function openSession(
  gateway: TestGateway,
  protocolVersion = '2025-11-25',
  headers: Record<string, string> = {},
  capabilities: object = {},
): Promise<Record<string, string>> {
  const { session } = await post(
    gateway,
    request('initialize', { protocolVersion, capabilities, clientInfo: { name: 't', version: '1' } }),
    headers,
  )
  return { ...headers, 'mcp-session-id': session ?? '' }
}

export function call(name: string, args: object = {}, id: unknown = 1, meta?: object): object {
  return request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) }, id)
}
