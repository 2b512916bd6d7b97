import { outgoing } from '@gateway/plugin-outgoing/api'
import { type CallContext, defined, type Resolved, Unavailable } from '@gateway/sdk'
import type { Completion, ModelRequest, ModelUsage, Payer, Reservation, RoutingDecision } from '../api.ts'
import { ModelRefused } from '../errors.ts'
import { modelDuration, tokens } from '../metrics.ts'
import type { Candidate } from '../rules/candidates.ts'
import type { Failure } from '../rules/failure.ts'
import { costUsd, promptTokens, tokensIn, usageOf } from '../rules/usage.ts'
import { type Asked, ask } from './ask.ts'
import { type Admission, NotAdmitted, type PassedOver, SETTING } from './host.ts'
import { decide, routeUses, routingOf } from './route.ts'
import { settleLane } from './settle-lane.ts'
import { payerOf, reserve } from './spending.ts'
import { tellUses } from './tell.ts'

export const completeUses = { ...routeUses, ...tellUses, http: outgoing, modelDuration, tokens }
type Refs = Resolved<typeof completeUses>

const DEFAULT_MAX_TOKENS = 4_096
/** Before the same provider is asked again; doubled each time. */
const BACKOFF_MS = 250

/** A call of a model, through to its end at whichever provider answers it. */
export async function complete(refs: Refs, request: ModelRequest, ctx: CallContext): Promise<Completion> {
  const { host } = refs
  const leaving = new AbortController()
  const leave = (event: Event): void => leaving.abort((event.target as AbortSignal).reason)
  const signals = request.signal ? [ctx.signal, request.signal] : [ctx.signal]
  for (const signal of signals) {
    signal.throwIfAborted()
    signal.addEventListener('abort', leave, { once: true })
  }
  try {
    const payer = payerOf(request, ctx)
    const route = await decide(refs, request, payer, ctx)
    if (!host.configured) throw notConfigured()
    return await new Call(refs, request, payer, route, leaving.signal, ctx).run()
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', leave)
  }
}

export const notConfigured = (): Error =>
  Unavailable({
    setting: SETTING,
    message: `No model is configured here: name a provider with its models in ${SETTING} of the config file.`,
  })

interface Attempt {
  readonly asked: Asked
  readonly usage: ModelUsage
  /** Resolves when what was used is charged, or what was held is let go of. */
  readonly settling: Promise<void>
}

interface Failed {
  readonly candidate: Candidate
  readonly failure: Failure
}

/** One call over its hops. */
class Call {
  readonly #refs: Refs
  readonly #request: ModelRequest
  readonly #payer: Payer
  readonly #route: Awaited<ReturnType<typeof decide>>
  readonly #signal: AbortSignal
  readonly #ctx: CallContext
  readonly #maxTokens: number
  readonly #inputTokens: number
  readonly #failed: Failed[] = []

  constructor(
    refs: Refs,
    request: ModelRequest,
    payer: Payer,
    route: Awaited<ReturnType<typeof decide>>,
    signal: AbortSignal,
    ctx: CallContext,
  ) {
    this.#refs = refs
    this.#request = request
    this.#payer = payer
    this.#route = route
    this.#signal = signal
    this.#ctx = ctx
    this.#maxTokens = request.maxTokens ?? DEFAULT_MAX_TOKENS
    this.#inputTokens = promptTokens(request.system, request.messages)
  }

  async run(): Promise<Completion> {
    const started = performance.now()
    const { host } = this.#refs
    for (let hop = 0; ; hop++) {
      const admission = await this.#admit()
      this.#noteHop(admission.candidate)
      const routing = routingOf(this.#route, admission.candidate, [...this.#failed.map(passedOver), ...admission.passed])
      if (hop === 0) this.#noteDecision(routing)
      const { asked, usage, settling } = await this.#attempt(admission, routing, hop)
      if (asked.ok) {
        const completion: Completion = {
          text: asked.draft.text,
          stopReason: asked.draft.stopReason ?? 'end',
          provider: admission.candidate.provider,
          model: admission.candidate.model,
          tier: routing.tier,
          routing,
          usage,
          hops: hop,
          durationMs: Math.round(performance.now() - started),
          firstTokenMs: Math.round(asked.firstTokenMs),
        }
        await Promise.all([settling, this.#request.onAnswer?.(completion)])
        return completion
      }
      await settling
      if (!asked.failure) throw asked.error
      const { candidate } = admission
      if (asked.failure.reason === 'refused') throw refused(candidate, asked.failure)
      this.#failed.push({ candidate, failure: asked.failure })
      if (hop >= host.settings.maxHops) throw this.#givenUp()
    }
  }

  /** Who is asked next: first those that have not failed yet; then those that have, the longest ago first, after a pause. */
  async #admit(): Promise<Admission> {
    const { host, shared, wide } = this.#refs
    const { candidates } = this.#route
    const failures = new Map(this.#failed.map(({ candidate }, at) => [candidate.provider, at]))
    const fresh = candidates.filter(({ provider }) => !failures.has(provider))
    const again = candidates
      .filter(({ provider }) => failures.has(provider))
      .sort((a, b) => (failures.get(a.provider) ?? 0) - (failures.get(b.provider) ?? 0))
    const look = setInterval(() => void shared.refresh(wide, this.#ctx), 1_000)
    try {
      const who = { tenantId: this.#ctx.tenantId, signal: this.#signal, now: () => this.#ctx.now().getTime() }
      if (fresh.length > 0 && again.length > 0) {
        try {
          return await host.admit(fresh, { ...who, patient: false })
        } catch (error) {
          if (!(error instanceof NotAdmitted)) throw error
        }
      }
      if (again.length > 0) await pause(BACKOFF_MS * 2 ** (this.#failed.length - candidates.length), this.#signal)
      return await host.admit([...fresh, ...again], who)
    } catch (error) {
      throw error instanceof NotAdmitted ? this.#givenUp(error) : error
    } finally {
      clearInterval(look)
    }
  }

  async #attempt(admission: Admission, routing: RoutingDecision, hop: number): Promise<Attempt> {
    const { candidate, entered } = admission
    const { host, http } = this.#refs
    const settings = host.of(candidate.provider)
    const price = settings.prices?.[candidate.model]
    const named = { ...this.#payer, provider: candidate.provider, model: candidate.model, tier: routing.tier, agent: this.#request.agent }
    const callId = this.#ctx.newId('call-')
    let reservation: Reservation
    try {
      const maxCostUsd = costUsd(this.#inputTokens, this.#maxTokens, price)
      const planned = { ...named, callId, inputTokens: this.#inputTokens, maxOutputTokens: this.#maxTokens, maxCostUsd }
      reservation = await reserve(this.#refs.guards, planned)
    } catch (error) {
      entered.end('unknown', this.#ctx.now().getTime())
      throw error
    }
    const began = performance.now()
    const asked = await ask(http, settings, host.settings, {
      model: candidate.model,
      system: this.#request.system,
      messages: this.#request.messages,
      maxTokens: this.#maxTokens,
      tenantId: this.#ctx.tenantId,
      signal: this.#signal,
      now: () => this.#ctx.now(),
      onDelta: (text) => this.#request.onDelta?.(text, hop),
    })
    await settleLane(this.#refs, candidate.provider, entered, asked, this.#ctx)
    const { usage: reported, text } = asked.draft
    const usage = usageOf(reported, this.#inputTokens, text, price)
    this.#measure(candidate, asked, usage, performance.now() - began)
    if (asked.ok) return { asked, usage, settling: reservation.settle({ ...named, ...usage, callId, outcome: 'ok' }) }
    if (!asked.begun) return { asked, usage, settling: reservation.release() }
    // What has come was made, whoever did not get it.
    const outputTokens = Math.max(tokensIn(text), reported.outputTokens ?? 0)
    const partial = usageOf({ ...reported, outputTokens }, this.#inputTokens, text, price)
    return { asked, usage, settling: reservation.settle({ ...named, ...partial, estimated: true, callId, outcome: 'failed' }) }
  }

  #measure({ provider, model }: Candidate, asked: Asked, usage: ModelUsage, durationMs: number): void {
    const { modelDuration, tokens } = this.#refs
    const error = asked.ok ? '' : (asked.failure?.reason ?? 'stopped')
    modelDuration.observe(durationMs / 1_000, provider, model, error)
    if (!asked.ok) return
    tokens.observe(usage.inputTokens, provider, 'input')
    tokens.observe(usage.outputTokens, provider, 'output')
  }

  #noteDecision({ mode: _mode, ...routing }: RoutingDecision): void {
    const { agent } = this.#request
    const at = this.#ctx.now().toISOString()
    this.#refs.host.journal.decisions.add(this.#ctx.tenantId, { at, ...defined({ agent }), ...routing })
  }

  #noteHop(next: Candidate | undefined): void {
    const last = this.#failed.at(-1)
    if (!last) return
    const { candidate, failure } = last
    const { provider, model } = candidate
    this.#refs.host.journal.droppedHops.add(this.#ctx.tenantId, {
      at: this.#ctx.now().toISOString(),
      provider,
      model,
      reason: failure.says,
      ...(next && { next: next.provider }),
    })
  }

  #givenUp(refusal?: NotAdmitted): Error {
    this.#noteHop(undefined)
    const passed = [...this.#failed.map(passedOver), ...(refusal?.passed ?? [])]
    const waits = [...this.#failed.map(({ failure }) => failure.retryAfterMs), refusal?.retryAfterMs].filter((ms) => ms !== undefined)
    const seconds = waits.length === 0 ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(Math.min(...waits) / 1_000)) }
    const reasons = [...new Set(passed.map(({ provider, says }) => `${provider}: ${says}`))].join('; ')
    const message = reasons === '' ? `No provider has a model: set ${SETTING}.<provider>.models.` : `No model answered. ${reasons}.`
    return Unavailable({ message, ...(reasons === '' && { setting: `${SETTING}.<provider>.models` }), ...seconds })
  }
}

const passedOver = ({ candidate, failure }: Failed): PassedOver => ({ provider: candidate.provider, says: failure.says })

function refused({ provider, model }: Candidate, { says, status = 400 }: Failure): Error {
  return ModelRefused({ provider, model, status, message: `The provider ${provider} does not serve this call of ${model}: ${says}.` })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
  })
}
