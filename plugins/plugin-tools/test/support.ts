import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import outgoing from '@gateway/plugin-outgoing'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import pluginTools from '../src/index.ts'

export type { TestGateway }

export const ENABLED = { PLUGIN_TOOLS_ENABLED: '1' }

export function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ plugins: [outgoing, pluginTools], env: ENABLED, ...options })
}

export const admin = { kind: 'user', role: 'admin', id: 'ann', tenantId: 'acme' } as const
export const stranger = { kind: 'user', role: 'owner', id: 'bob', tenantId: 'bolt' } as const
/** The operator in another tenant than its own: may register a handler on this machine for a tenant of a test. */
export const operatorOf = (tenantId: string) => ({ kind: 'operator', role: 'operator', id: 'operator', tenantId }) as const

export const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 100 }, times: { type: 'integer', default: 1 } },
  required: ['text'],
  additionalProperties: false,
}
export const URL_OUTSIDE = 'https://tools.example.com/hook'

export function register(gateway: TestGateway, args: object = {}, options?: CallOptions) {
  return gateway.call('plugin_tools_register', { name: 'shout', schema: SCHEMA, handlerUrl: URL_OUTSIDE, ...args }, options)
}

export const json =
  (value: unknown, status = 200) =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

export interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly url: string | undefined
  readonly method: string | undefined
}

/** A handler on the loopback that records what it receives. */
export async function handler(answer: RequestListener) {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      received.push({ headers: request.headers, body, url: request.url, method: request.method })
      answer(request, response)
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** For `assert.rejects`: the error has this code and these details. */
export function refusal(code: string, details: object = {}, says = /./): (error: unknown) => boolean {
  return (error) => {
    const came = error as { code?: string; message: string; details?: Record<string, unknown> }
    assert.equal(came.code, code, came.message)
    for (const [name, value] of Object.entries(details)) assert.deepEqual(came.details?.[name], value, came.message)
    assert.match(came.message, says)
    return true
  }
}
