import { type CallContext, defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { HandlerBusy, HandlerFailed, HandlerTimeout } from '../errors.ts'
import { signatureHeaders } from '../rules/signature.ts'
import type { CallableTool } from './callable-tool.ts'
import { nameServers } from './lookup.ts'
import { Pools } from './pools.ts'
import { type Answer, post } from './post.ts'
import { Passage, Turnstile, type TurnstileLimits } from './turnstile.ts'

export interface HandlerLimits extends TurnstileLimits {
  readonly maxAnswerBytes: number
}
type Ctx = Pick<CallContext, 'requestId' | 'signal' | 'now' | 'audit' | 'log'>

/** Calls the handlers of tenants’ tools. One for all tenants: their connections, and who may not call just now. */
export class Handlers {
  readonly #turnstile: Turnstile
  readonly #pools: Pools

  constructor(limits: HandlerLimits, resolve = nameServers()) {
    this.#turnstile = new Turnstile(limits)
    this.#pools = new Pools(resolve, { connections: limits.callsPerTool, maxAnswerBytes: limits.maxAnswerBytes })
  }

  /** What the handler answered. Throws HANDLER_FAILED, HANDLER_TIMEOUT, HANDLER_BUSY. */
  async call(tool: CallableTool, args: Readonly<Record<string, unknown>>, ctx: Ctx): Promise<unknown> {
    const passage = this.#turnstile.enter(tool.target.tenantId, tool.id, ctx.now().getTime())
    if (!(passage instanceof Passage)) throw HandlerBusy(passage)
    let healthy: boolean | undefined
    try {
      // Also when it fails: the handler may have done its work by then.
      ctx.audit('plugintool.invoke', { name: tool.name, hash: tool.hash }, { always: true })
      const answer = await this.#post(tool, args, ctx)
      healthy = isHealthy(answer)
      if (answer !== 'timeout' && 'value' in answer) return answer.value
      ctx.log.warn('a handler failed', { tool: tool.name, answer })
      if (answer === 'timeout') throw HandlerTimeout({ tool: tool.name, timeoutMs: tool.timeoutMs })
      const { failure, status } = answer
      throw HandlerFailed({ tool: tool.name, reason: failure, ...(status !== undefined && { status }) })
    } finally {
      passage.leave(healthy, ctx.now().getTime())
    }
  }

  close(): Promise<void> {
    return this.#pools.close()
  }

  #post({ name, target, path, key, timeoutMs }: CallableTool, args: object, ctx: Ctx): Promise<Answer> {
    const body = JSON.stringify({ tool: name, arguments: args, tenantId: target.tenantId })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'gateway-plugin-tools',
      'x-request-id': ctx.requestId,
      ...signatureHeaders(key, body, ctx.now()),
    }
    return post(() => this.#pools.of(target), { path, headers, body, timeoutMs, signal: ctx.signal })
  }
}

/** A refusal of the handler’s own (4xx) says that it lives. */
function isHealthy(answer: Answer): boolean {
  if (answer === 'timeout') return false
  return 'value' in answer || (answer.failure === 'status' && (answer.status as number) < 500)
}

export const handlers = defineService<Pick<Handlers, 'call'>>('plugin-tools.handlers', 'process')

export const handlersProvider = provideProcess(handlers, {
  uses: { config },
  create: ({ config }) => new Handlers(config),
})
