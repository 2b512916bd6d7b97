import type { Outgoing } from '@gateway/plugin-outgoing/api'
import { type CallContext, defined } from '@gateway/sdk'
import { HandlerBusy, HandlerFailed, HandlerTimeout } from '../errors.ts'
import { CallLimiter, type CallLimits, Permit } from './call-limiter.ts'
import type { CallableTool } from './callable-tool.ts'
import { type Answer, post } from './post.ts'

export interface HandlerLimits extends CallLimits {
  readonly maxAnswerBytes: number
}
type Ctx = Pick<CallContext, 'requestId' | 'signal' | 'now' | 'audit' | 'log' | 'beforeEffect'>

/** Calls the handlers of tenants' tools. Shared by all tenants, with the state of each breaker. */
export class Handlers {
  readonly #limiter: CallLimiter
  readonly #outgoing: Pick<Outgoing, 'open'>
  readonly #maxAnswerBytes: number

  constructor(outgoing: Pick<Outgoing, 'open'>, limits: HandlerLimits) {
    this.#limiter = new CallLimiter(limits)
    this.#outgoing = outgoing
    this.#maxAnswerBytes = limits.maxAnswerBytes
  }

  /** The handler's answer. Throws HANDLER_FAILED, HANDLER_TIMEOUT, HANDLER_BUSY. */
  async call(tool: CallableTool, args: Readonly<Record<string, unknown>>, ctx: Ctx): Promise<unknown> {
    const began = performance.now()
    const passage = await this.#limiter.enterWithin(tool.tenantId, tool.id, {
      now: () => ctx.now().getTime(),
      waitMs: tool.timeoutMs,
      signal: ctx.signal,
    })
    if (!(passage instanceof Permit)) throw HandlerBusy({ message: passage.message, retryAfterSeconds: passage.retryAfterSeconds })
    // The wait for a permit is part of its time.
    const timeoutMs = Math.max(1, tool.timeoutMs - Math.floor(performance.now() - began))
    let healthy: boolean | undefined
    try {
      // The call is audited even if it fails: the handler may have done its work by then.
      ctx.audit('plugintool.invoke', { name: tool.name, hash: tool.hash }, { always: true })
      const answer = await this.#post(tool, timeoutMs, args, ctx)
      healthy = isHealthy(answer)
      if (answer !== 'timeout' && 'value' in answer) return answer.value
      ctx.log.warn('a handler failed', { tool: tool.name, answer })
      if (answer === 'timeout') throw HandlerTimeout({ tool: tool.name, timeoutMs: tool.timeoutMs })
      if ('busy' in answer) throw HandlerBusy(answer.busy)
      const { failure, status } = answer
      throw HandlerFailed({ tool: tool.name, reason: failure, ...defined({ status }) })
    } finally {
      passage.leave(healthy, ctx.now().getTime())
    }
  }

  #post({ name, tenantId, url, reach, key }: CallableTool, timeoutMs: number, args: object, ctx: Ctx): Promise<Answer> {
    const request = {
      url,
      reach,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'gateway-plugin-tools',
        'x-request-id': ctx.requestId,
      },
      body: JSON.stringify({ tool: name, arguments: args, tenantId }),
      signature: { key, as: 'gateway' },
      // The deadline covers everything.
      timeouts: { firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      maxResponseBytes: this.#maxAnswerBytes,
      // Each tool has its own breaker, which also counts unusable answers.
      breaker: false,
    } as const
    return post(this.#outgoing, request, { tenantId, signal: ctx.signal, now: () => ctx.now(), beforeEffect: () => ctx.beforeEffect() })
  }
}

/** A refusal by the handler (4xx) shows that it is up. A request that was not sent shows nothing. */
function isHealthy(answer: Answer): boolean | undefined {
  if (answer === 'timeout') return false
  if ('busy' in answer) return undefined
  return 'value' in answer || (answer.failure === 'status' && (answer.status as number) < 500)
}
