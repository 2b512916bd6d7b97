import assert from 'node:assert/strict'
import type { Operation, Tool } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { parseBinding } from '../src/bindings.ts'

/** Outcome of one call in a form that can be compared between transports. */
export interface Seen {
  readonly ok: boolean
  /** The result, or the error record without its request id. */
  readonly answer: unknown
}

type Caller = (gateway: TestGateway, tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<Seen>

/** Every way to call a tool; `rest` only for tools with a binding. */
export const transports: Readonly<Record<'mcp' | 'tools' | 'rest', Caller>> = {
  async mcp(gateway, { name }, args) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const { result } = (await gateway.inject({ method: 'POST', url: '/mcp', body })).json()
    if (result.isError) assert.equal(result.content[0].text, result.structuredContent.error)
    else assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
    return seen(!result.isError, result.structuredContent)
  },
  async tools(gateway, { name }, args) {
    const { status, json } = await gateway.inject({ method: 'POST', url: `/api/tools/${name}`, body: args })
    return seen(status < 400, json())
  },
  async rest(gateway, tool, args) {
    const { status, json } = await gateway.inject(bindingRequest(tool, args))
    return seen(status < 400, json())
  },
}

/** The request that carries these arguments over a tool's own binding: path, then query or body. */
export function bindingRequest({ rest = '' }: Pick<Operation, 'rest'>, args: Readonly<Record<string, unknown>>) {
  const { method, path, params } = parseBinding(rest)
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const left = Object.entries(args).filter(([name]) => !params.includes(name))
  if (method !== 'GET') return { method, url, body: Object.fromEntries(left) }
  const query = new URLSearchParams(left.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])))
  return { method, url: `${url}?${query}` }
}

/**
 * Calls one tool over each of its transports, each time on a separate gateway in the same state, and requires the same outcome
 * and the same audit records. For tools bound to GET the arguments must fit into a query.
 */
export async function assertParity(open: () => Promise<TestGateway>, tool: Tool, args: Readonly<Record<string, unknown>>): Promise<Seen> {
  const outcomes = []
  for (const transport of tool.rest === undefined ? (['mcp', 'tools'] as const) : (['mcp', 'tools', 'rest'] as const)) {
    await using gateway = await open()
    const outcome = await transports[transport](gateway, tool, args)
    const audit = (await gateway.audit()).map(({ name, tool: of, argsDigest, decision }) => ({ name, of, argsDigest, decision }))
    outcomes.push({ transport, outcome, audit })
  }
  const [first, ...others] = outcomes
  assert.ok(first)
  for (const { transport, outcome, audit } of others) {
    assert.deepEqual(outcome, first.outcome, `${tool.name} over ${transport} and ${first.transport}`)
    assert.deepEqual(audit, first.audit, `the audit of ${tool.name} over ${transport} and ${first.transport}`)
  }
  return first.outcome
}

function seen(ok: boolean, body: Record<string, unknown>): Seen {
  if (ok) return { ok, answer: body }
  const { requestId: _differs, ...answer } = body
  return { ok, answer }
}
