import type { Metrics } from '@gateway/metrics'
import { defineMetric, type Histogram } from '@gateway/sdk'
import { RpcError } from './jsonrpc.ts'

const operationDuration = defineMetric('mcp.server.operation.duration', {
  kind: 'histogram',
  description: 'Duration of MCP requests in this process, from receipt to result. By tool: gen_ai.execute_tool.duration.',
  unit: 's',
  labels: ['mcp.method.name', 'error.type'],
})
const sessionDuration = defineMetric('mcp.server.session.duration', {
  kind: 'histogram',
  description: 'Duration of MCP sessions, from initialize to their last use in this process, measured when it drops one from memory.',
  unit: 's',
  labels: ['mcp.protocol.version'],
  buckets: [1, 10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400],
})
const sessions = defineMetric('gateway.mcp.sessions', {
  kind: 'gauge',
  description: 'Sessions of MCP clients in the memory of this process.',
  unit: '{session}',
})
const streams = defineMetric('gateway.mcp.streams', {
  kind: 'gauge',
  description: 'Event streams of MCP clients that are open now.',
  unit: '{stream}',
})

/** Methods of the protocol; names invented by clients share one entry. */
const METHODS: ReadonlySet<string> = new Set(
  `initialize ping server/discover logging/setLevel completion/complete subscriptions/listen
  tools/list tools/call prompts/list prompts/get
  resources/list resources/templates/list resources/read resources/subscribe resources/unsubscribe
  tasks/get tasks/update tasks/cancel tasks/list tasks/result`.split(/\s+/),
)
const OTHER = '_OTHER'

/** Measures durations of requests and sessions, by OpenTelemetry's conventions for MCP. */
export class Operations {
  readonly #durations: Histogram<readonly ['mcp.method.name', 'error.type']>
  readonly #sessions: Histogram<readonly ['mcp.protocol.version']>

  constructor(metrics: Metrics, open: () => { readonly sessions: number; readonly streams: number }) {
    this.#durations = metrics.of(operationDuration)
    this.#sessions = metrics.of(sessionDuration)
    metrics.onLook(() => {
      const now = open()
      metrics.of(sessions).set(now.sessions)
      metrics.of(streams).set(now.streams)
    })
  }

  /** Records a request with its result; a tool's refusal is a result to the protocol. */
  answered(method: string, since: number, isRefused = false): void {
    this.#took(method, since, isRefused ? 'tool_error' : '')
  }

  failed(method: string, since: number, error: unknown): void {
    this.#took(method, since, error instanceof RpcError ? String(error.code) : 'internal')
  }

  sessionEnded(version: string, ms: number): void {
    this.#sessions.observe(ms / 1_000, version)
  }

  #took(method: string, since: number, error: string): void {
    this.#durations.observe((performance.now() - since) / 1_000, METHODS.has(method) ? method : OTHER, error)
  }
}
