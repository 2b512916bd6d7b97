import { type CallContext, type Client, type Emitter, InputUnavailable, type Principal } from '@gateway/sdk'
import { type TestClock, testClock } from './clock.ts'

/** Line that a handler logged. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: object | undefined
}

/** Context that records a handler's use of it. */
export interface FakeContext extends CallContext {
  readonly clock: TestClock
  readonly lines: readonly LogLine[]
  readonly audited: readonly { readonly name: string; readonly details: object | undefined }[]
}

const operator: Principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'local' }

/**
 * Creates a context for calling `tool.handle(input, uses, ctx)` without a gateway: the local operator, who may do everything, a
 * fixed clock, ids that count up. Collections have no fake: only the store defines what a query does, so a tool that keeps
 * documents is tested with `startTestGateway`.
 */
export function fakeContext(overrides: Partial<CallContext> & { readonly clock?: TestClock } = {}): FakeContext {
  const { clock = testClock(), principal = operator } = overrides
  const lines: LogLine[] = []
  const audited: { name: string; details: object | undefined }[] = []
  const write = (level: LogLine['level']) => (message: string, fields?: object) => void lines.push({ level, message, fields })
  let ids = 0
  return {
    principal,
    tenantId: principal.tenantId,
    requestId: 'request-1',
    via: 'mcp',
    signal: new AbortController().signal,
    client: silentClient,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    now: () => new Date(clock.now()),
    newId: (prefix) => `${prefix}${String(++ids).padStart(6, '0')}`,
    turn: (work) => work(),
    progress() {},
    audit: (name, details) => void audited.push({ name, details }),
    async beforeEffect() {},
    changedNothing() {},
    holds: () => true,
    require() {},
    ...overrides,
    clock,
    lines,
    audited,
  }
}

/** Client without any capability, like the one behind a REST call. */
const silentClient: Client = {
  can: () => false,
  ask: (requests) => Promise.reject(InputUnavailable({ ability: Object.values(requests)[0]?.needs ?? 'elicitation' })),
  log() {},
  async detach(options) {
    if (options?.required) throw InputUnavailable({ ability: 'tasks' })
  },
}

/** Creates an emitter that keeps the payloads it was given. */
export function fakeEmitter<Payload>(): Emitter<Payload> & { readonly emitted: readonly Payload[] } {
  const emitted: Payload[] = []
  return { emitted, emit: (payload) => void emitted.push(payload) }
}
