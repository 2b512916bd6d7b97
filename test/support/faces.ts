import type { TestGateway } from '@gateway/sdk/testing'

/** What a caller sees of one call, whichever face it came through. */
export interface Answer {
  readonly ok: boolean
  readonly value: unknown
}

type Face = (gateway: TestGateway, tool: { name: string; rest?: string | undefined }, args: Record<string, unknown>) => Promise<Answer>

const record = (value: unknown): unknown => {
  const { requestId: _, ...rest } = value as Record<string, unknown>
  return rest
}

const overMcp: Face = async (gateway, { name }, args) => {
  const response = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
  const { result } = response.json()
  return result.isError ? { ok: false, value: record(result.structuredContent) } : { ok: true, value: result.structuredContent }
}

const overToolRoute: Face = async (gateway, { name }, args) => {
  const response = await gateway.inject({ method: 'POST', url: `/api/tools/${name}`, body: args })
  return response.status < 400 ? { ok: true, value: response.json() } : { ok: false, value: record(response.json()) }
}

/** The tool’s own binding: path parameters filled in, the rest in the query of a GET or the body of anything else. */
const overBinding: Face = async (gateway, { rest = '' }, args) => {
  const [method = '', path = ''] = rest.split(' ')
  const left = { ...args }
  const url = path.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => {
    const value = left[name]
    delete left[name]
    return encodeURIComponent(String(value ?? 'missing'))
  })
  const query = new URLSearchParams()
  if (method === 'GET') {
    for (const [name, value] of Object.entries(left)) for (const one of [value].flat()) query.append(name, String(one))
  }
  const response = await gateway.inject({
    method,
    url: query.size > 0 ? `${url}?${query}` : url,
    ...(method !== 'GET' && { body: left }),
  })
  return response.status < 400 ? { ok: true, value: response.json() } : { ok: false, value: record(response.json()) }
}

export const faces: Readonly<Record<'mcp' | 'tool route' | 'binding', Face>> = {
  mcp: overMcp,
  'tool route': overToolRoute,
  binding: overBinding,
}
