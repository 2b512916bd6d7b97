import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import outgoing from '@gateway/plugin-outgoing'
import { Conflict, closed, definePlugin, defineTool, Type, toolbox } from '@gateway/sdk'
import { startTestGateway, type TestGatewayOptions } from '@gateway/testing'
import otlp from '../src/index.ts'

export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly flags: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number; readonly message?: string }
}
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}
interface Sent {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly resource: Readonly<Record<string, unknown>>
  readonly spans: readonly SentSpan[]
}

export const named = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

/** A collector on the loopback. It reads its requests, and answers as the test says: 200 by default. */
export async function collector(answer: (response: ServerResponse, request: number) => void = (response) => void response.end('{}')) {
  const sent: Sent[] = []
  const waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = []
  let requests = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString()) as {
        resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
      }
      const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      const { url, headers } = request
      sent.push({ url, headers, spans, resource: named(resourceSpans[0]?.resource.attributes ?? []) })
      answer(response, ++requests)
      for (const { holds, resolve } of waiting) if (holds()) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    spans: () => sent.flatMap(({ spans }) => spans),
    until: (holds: () => boolean) => (holds() ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ holds, resolve }))),
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const sample = definePlugin({
  id: 'sample',
  sdk: '^1.0.0',
  description: 'A tool for a test, and one that calls it.',
  tools: [
    defineTool({
      name: 'sample_run',
      description: 'Runs, or fails as it is told.',
      capability: 'work',
      effect: 'read',
      input: Type.Object({ fail: Type.Optional(Type.Enum(['declared', 'undeclared'])) }, closed),
      output: Type.Object({}, closed),
      async handle({ fail }) {
        if (fail === 'declared') throw Conflict({ message: 'It is taken.' })
        if (fail !== undefined) throw new Error('a fault')
        return {}
      },
    }),
    defineTool({
      name: 'sample_outer',
      description: 'Calls the other one.',
      capability: 'work',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      uses: { toolbox },
      async handle(_, { toolbox }) {
        await toolbox.call('sample_run', {})
        return {}
      },
    }),
  ],
})

/** A gateway that sends to the collector almost at once. */
export const start = (endpoint: string | undefined, settings: object = {}, options: Partial<TestGatewayOptions> = {}) =>
  startTestGateway({
    plugins: [outgoing, sample, otlp],
    config: { otlp: { ...(endpoint && { endpoint }), delayMs: 5, ...settings } },
    ...options,
  })
