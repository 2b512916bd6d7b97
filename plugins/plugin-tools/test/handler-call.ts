import type { StoredTool } from '../src/collections.ts'
import { CallableTool } from '../src/operations/callable-tool.ts'
import type { Handlers } from './handlers.ts'

export const LIMITS = {
  callsPerTool: 8,
  callsPerTenant: 16,
  maxAnswerBytes: 524_288,
  failureThreshold: 1_000,
  cooldownSeconds: 30,
}

/** A tool of a tenant, called without a gateway around it. */
export function handlerCall(handlers: Handlers, handlerUrl: string, options: Partial<StoredTool> & { tenantId?: string } = {}) {
  const { tenantId = 'acme', ...fields } = options
  const stored = {
    name: 'shout',
    hash: 'hash',
    updatedAt: '2026-01-05T09:00:00.000Z',
    handlerUrl,
    loopback: false,
    timeoutMs: 30_000,
    ...fields,
  }
  const tool = new CallableTool(tenantId, stored, 'pts_secret')
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const gone = new AbortController()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const ctx = { requestId: 'request-1', signal: gone.signal, now: () => new Date(clock.now), audit() {}, async beforeEffect() {}, log }
  return { clock, gone, call: (args: Readonly<Record<string, unknown>> = {}) => handlers.call(tool, args, ctx) }
}
