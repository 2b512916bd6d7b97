import { setTimeout as delay } from 'node:timers/promises'
import { type CallContext, defined, type Resolved, Unavailable } from '@gateway/sdk'
import type { Completion, ModelRelay, ModelRequest, Payer, RoutingDecision, RoutingQuery } from '../api.ts'
import { relayLimits } from '../config.ts'
import type { Candidate } from '../rules/candidates.ts'
import { stopReasonOf, toolCallsOf } from '../rules/tool-calls.ts'
import { promptTokens } from '../rules/usage.ts'
import { servesClients } from '../rules/wire-of.ts'
import { attempt, attemptUses, type Calling } from './attempt.ts'
import { type FailedHop, noneAnswered, refusedCall, skippedProvider } from './failed-hops.ts'
import { type Admission, NoProviderError, type ProviderPool, SETTING } from './provider-pool.ts'
import { type Decision, decide, routingOf } from './route.ts'
import { payerOf } from './spending.ts'

export const completeUses = attemptUses
type Refs = Resolved<typeof completeUses>

/** The limit of calls that the gateway makes itself. */
const DEFAULT_MAX_TOKENS = 4_096
/** Pause before the same provider is asked again; doubled each time. */
const BACKOFF_MS = 250

export async function complete(refs: Refs, request: ModelRequest, ctx: CallContext): Promise<Completion> {
  const leaving = new AbortController()
  const leave = (event: Event): void => leaving.abort((event.target as AbortSignal).reason)
  const signals = request.signal ? [ctx.signal, request.signal] : [ctx.signal]
  for (const signal of signals) {
    signal.throwIfAborted()
    signal.addEventListener('abort', leave, { once: true })
  }
  try {
    const payer = payerOf(request, ctx)
    const route = await routeFor(refs, request, payer, ctx)
    // A client's call without a limit is sent without one, so that the provider decides what it may cost.
    const maxTokens = request.maxTokens ?? (request.relay ? undefined : DEFAULT_MAX_TOKENS)
    const inputTokens = request.relay?.inputTokens ?? promptTokens(request.system, request.messages, request.tools)
    return await new Hops(refs, route, { request, payer, maxTokens, inputTokens, signal: leaving.signal, ctx }).run()
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', leave)
  }
}

/** The providers that may be asked: those that have the model, and can be sent the request. */
export async function routeFor(
  refs: Refs,
  request: RoutingQuery & Pick<ModelRequest, 'relay'>,
  payer: Payer,
  ctx: CallContext,
): Promise<Decision> {
  const decided = await decide(refs, request, payer, ctx)
  if (!refs.pool.configured) throw notConfigured(refs.pool)
  return request.relay ? { ...decided, candidates: expressible(refs.pool, decided.candidates, request.relay) } : decided
}

/** The providers whose wire can carry the request; without one, the reason of the first. */
function expressible(pool: ProviderPool, candidates: readonly Candidate[], relay: ModelRelay): readonly Candidate[] {
  const refused: unknown[] = []
  const able = candidates.filter(({ provider, model }) => {
    try {
      const settings = pool.of(provider)
      if (!servesClients(settings.wire)) throw notRelayed(provider, settings.wire)
      relay.body(settings.wire, model, relayLimits(settings))
      return true
    } catch (error) {
      refused.push(error)
      return false
    }
  })
  if (able.length === 0 && refused.length > 0) throw refused[0]
  return able
}

const notRelayed = (provider: string, wire: string): Error =>
  Unavailable({
    setting: SETTING,
    message: `${provider} has the wire ${wire}, to which requests of the model endpoint cannot be translated; name a model of another provider.`,
  })

export function notConfigured({ gates }: Pick<ProviderPool, 'gates'>): Error {
  const [provider] = gates.keys()
  const setting = provider === undefined ? SETTING : `${SETTING}.${provider}.models`
  const wanted = provider === undefined ? 'a provider with its models in' : `the models of ${provider}, by tier, in`
  return Unavailable({ setting, message: `No model is configured here: set ${wanted} ${setting} of the config file.` })
}

class Hops {
  readonly #refs: Refs
  readonly #route: Decision
  readonly #calling: Calling
  readonly #failed: FailedHop[] = []

  constructor(refs: Refs, route: Decision, calling: Calling) {
    this.#refs = refs
    this.#route = route
    this.#calling = calling
  }

  async run(): Promise<Completion> {
    const started = performance.now()
    for (let hop = 0; ; hop++) {
      const admission = await this.#admit()
      this.#noteHop(admission.candidate)
      const routing = routingOf(this.#route, admission.candidate, [...this.#failed.map(skippedProvider), ...admission.passed])
      if (hop === 0) this.#noteDecision(routing)
      const { asked, usage, settling } = await attempt(this.#refs, this.#calling, admission, routing.tier, hop)
      if (asked.ok) {
        const completion: Completion = {
          text: asked.draft.text,
          toolCalls: toolCallsOf(asked.draft),
          stopReason: stopReasonOf(asked.draft),
          provider: admission.candidate.provider,
          model: admission.candidate.model,
          tier: routing.tier,
          routing,
          usage,
          hops: hop,
          durationMs: Math.round(performance.now() - started),
          firstTokenMs: Math.round(asked.firstTokenMs),
        }
        await Promise.all([settling, this.#calling.request.onAnswer?.(completion)])
        return completion
      }
      await settling
      if (!asked.failure) throw asked.error
      const failed = { candidate: admission.candidate, failure: asked.failure }
      if (asked.failure.reason === 'refused') throw refusedCall(failed, this.#calling.request.tools?.length)
      this.#failed.push(failed)
      const isLast = asked.isUnread || this.#calling.request.relay?.delivered || hop >= this.#refs.pool.settings.maxHops
      if (isLast) throw this.#givenUp()
    }
  }

  /**
   * Admits the call to the next provider: first those that have not failed yet; then those that have, the longest ago first, after a pause.
   * A provider that answered without text is not asked again, as the same answer would be paid for twice.
   */
  async #admit(): Promise<Admission> {
    const { pool, shared, wide } = this.#refs
    const { candidates } = this.#route
    const { signal, ctx } = this.#calling
    const failures = new Map(this.#failed.map(({ candidate }, at) => [candidate.provider, at]))
    const fresh = candidates.filter(({ provider }) => !failures.has(provider))
    const silent = new Set(this.#failed.flatMap(({ candidate, failure }) => (failure.reason === 'no_text' ? [candidate.provider] : [])))
    const again = candidates
      .filter(({ provider }) => failures.has(provider) && !silent.has(provider))
      .sort((a, b) => (failures.get(a.provider) ?? 0) - (failures.get(b.provider) ?? 0))
    if (silent.size > 0 && fresh.length + again.length === 0) throw this.#givenUp()
    const look = setInterval(() => void shared.refresh(wide, ctx), 1_000)
    try {
      const who = { tenantId: ctx.tenantId, signal, now: () => ctx.now().getTime() }
      if (fresh.length > 0 && again.length > 0) {
        try {
          return await pool.admit(fresh, { ...who, mayWait: false })
        } catch (error) {
          if (!(error instanceof NoProviderError)) throw error
        }
      }
      if (again.length > 0) {
        const backoffMs = BACKOFF_MS * 2 ** (this.#failed.length - candidates.length)
        await delay(backoffMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
      return await pool.admit([...fresh, ...again], who)
    } catch (error) {
      throw error instanceof NoProviderError ? this.#givenUp(error) : error
    } finally {
      clearInterval(look)
    }
  }

  #noteDecision({ mode: _mode, ...routing }: RoutingDecision): void {
    const { request, ctx } = this.#calling
    const at = ctx.now().toISOString()
    this.#refs.pool.journal.decisions.add(ctx.tenantId, { at, ...defined({ agent: request.agent }), ...routing })
  }

  #noteHop(next: Candidate | undefined): void {
    const last = this.#failed.at(-1)
    if (!last) return
    const { candidate, failure } = last
    const { provider, model } = candidate
    const { ctx } = this.#calling
    this.#refs.pool.journal.droppedHops.add(ctx.tenantId, {
      at: ctx.now().toISOString(),
      provider,
      model,
      reason: failure.says,
      ...(next && { next: next.provider }),
    })
  }

  #givenUp(refusal?: NoProviderError): Error {
    this.#noteHop(undefined)
    return noneAnswered(this.#failed, refusal)
  }
}
