import type { CallableTool, Handlers } from '../src/outbound/handlers.ts'

export const LIMITS = {
  callsPerTool: 8,
  callsPerTenant: 16,
  maxAnswerBytes: 524_288,
  failuresUntilRest: 1_000,
  restSeconds: 30,
}

/** One tool of one tenant, called without a gateway around it. */
export function handlerCall(handlers: Handlers, handlerUrl: string, options: Partial<CallableTool> & { tenantId?: string } = {}) {
  const { tenantId = 'acme', ...fields } = options
  const tool: CallableTool = {
    name: 'shout',
    description: '',
    handlerUrl,
    timeoutMs: 2_000,
    enabled: true,
    hash: 'hash',
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
    updatedBy: 'ann',
    secret: 'pts_secret',
    loopback: false,
    ...fields,
  }
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const gone = new AbortController()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const ctx = { tenantId, requestId: 'request-1', signal: gone.signal, now: () => new Date(clock.now), audit() {}, log }
  return { clock, gone, call: (args: Readonly<Record<string, unknown>> = {}) => handlers.call(tool, args, ctx) }
}
