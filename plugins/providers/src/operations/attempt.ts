import { outgoing } from '@gateway/plugin-outgoing/api'
import type { CallContext, Resolved } from '@gateway/sdk'
import { type ModelRequest, type ModelUsage, modelWires, type Payer, type Reservation } from '../api.ts'
import { relayLimits } from '../config.ts'
import { modelDuration, tokens } from '../metrics.ts'
import { type Draft, emptyDraft } from '../rules/answer.ts'
import type { Candidate } from '../rules/candidates.ts'
import { coveredAtFirst, coveredUsage } from '../rules/covered.ts'
import { CHARACTERS_A_TOKEN, maxCostUsd, usageOf } from '../rules/usage.ts'
import { servesClients, wireOf } from '../rules/wire-of.ts'
import type { Tier } from '../schema.ts'
import { type Asked, ask } from './ask.ts'
import { Coverage } from './coverage.ts'
import { modelObserved } from './events.ts'
import type { Admission } from './provider-pool.ts'
import { publishUses } from './publish-change.ts'
import { routeUses } from './route.ts'
import { settleCall } from './settle-call.ts'
import { reserve } from './spending.ts'
import { watchSpend } from './watch-spend.ts'

export const attemptUses = {
  ...routeUses,
  ...publishUses,
  wires: modelWires,
  http: outgoing,
  observed: modelObserved,
  modelDuration,
  tokens,
}
type Refs = Resolved<typeof attemptUses>

export interface Calling {
  readonly request: ModelRequest
  readonly payer: Payer
  /** Limit of the answer; undefined for a client's call without one. */
  readonly maxTokens: number | undefined
  /** An estimate; a provider that answers counts the tokens. */
  readonly inputTokens: number
  readonly signal: AbortSignal
  readonly ctx: CallContext
}

export interface Attempt {
  readonly asked: Asked
  readonly usage: ModelUsage
  /** Resolves when the usage is charged, or the reservation released. */
  readonly settling: Promise<void>
}

/** A call at one provider: its greatest price is reserved, the provider is asked, and the usage is reported. */
export async function attempt(refs: Refs, calling: Calling, admission: Admission, tier: Tier, hop: number): Promise<Attempt> {
  const { candidate, entered } = admission
  const { request, payer, inputTokens, signal, ctx } = calling
  const { pool, http } = refs
  const settings = pool.of(candidate.provider)
  const maxTokens = calling.maxTokens ?? relayLimits(settings).maxOutputTokens
  const price = pool.priceAt(candidate.provider, candidate.model)
  const named = { ...payer, provider: candidate.provider, model: candidate.model, tier, agent: request.agent, taskId: request.taskId }
  const callId = ctx.newId('call-')
  const dearer = (servesClients(settings.wire) && request.relay?.dearer?.(settings.wire)) || {}
  const atFirst = coveredAtFirst(inputTokens, maxTokens, request.relay?.streams ?? true, price, dearer)
  let reservation: Reservation
  try {
    const costs = { maxCostUsd: maxCostUsd(inputTokens, maxTokens, price, dearer), covered: atFirst }
    const planned = { callId, inputTokens, maxOutputTokens: maxTokens, ...costs }
    reservation = await reserve(refs.guards, { ...named, ...planned })
  } catch (error) {
    entered.end('unknown', ctx.now().getTime())
    throw error
  }
  const began = performance.now()
  const draft = emptyDraft()
  // An answer names the service that gave it, which may be another one than was asked for.
  draft.usage.priceFactor = dearer.factor
  const costSoFar = (): number => usageOf(draft.usage, inputTokens, outputSoFar(draft), price).costUsd
  const coverage = new Coverage(reservation, atFirst, maxTokens, (output) => coveredUsage(draft.usage, inputTokens, output, price, dearer))
  const watch = watchSpend(reservation, costSoFar, signal)
  const question = {
    model: candidate.model,
    system: request.system,
    messages: request.messages,
    tools: request.tools,
    maxTokens,
    tenantId: ctx.tenantId,
    signal: watch.signal,
    relay: request.relay,
    now: () => ctx.now(),
    beforeEffect: () => ctx.beforeEffect(),
    covered: () => coverage.reach(Math.max(outputSoFar(draft), draft.usage.outputTokens ?? 0)),
    onDelta: (text: string) => request.onDelta?.(text, hop),
  }
  const wire = wireOf(settings.wire, refs.wires, request.relay)
  const asked = wire === undefined ? unknownWire(settings.wire, draft) : await ask(http, wire, settings, pool.settings, question, draft)
  watch.stop()
  await settleCall(refs, candidate.provider, entered, asked, ctx)
  noteExperience(refs, candidate, asked, ctx)
  const { usage: reported, done } = asked.draft
  const output = outputSoFar(asked.draft)
  const usage = usageOf(reported, inputTokens, output, price)
  measure(refs, candidate, asked, usage, performance.now() - began)
  if (asked.ok) return { asked, usage, settling: reservation.settle({ ...named, ...usage, callId, outcome: 'ok' }) }
  if (asked.isUnread)
    return { asked, usage, settling: reservation.settle({ ...named, ...atFirst, estimated: true, callId, outcome: 'failed' }) }
  if (!asked.begun) return { asked, usage, settling: reservation.release() }
  // The received part of the answer is paid for, although the caller does not get it.
  const outputTokens = Math.max(output, reported.outputTokens ?? 0)
  const partial = { ...usageOf({ ...reported, outputTokens }, inputTokens, output, price), estimated: true }
  return { asked, usage, settling: reservation.settle({ ...named, ...(done ? usage : partial), callId, outcome: 'failed' }) }
}

/** Limits, busy providers and refused requests say nothing of a model, and a caller that leaves neither. */
function noteExperience({ pool, observed }: Refs, { provider, model }: Candidate, asked: Asked, ctx: CallContext): void {
  const reason = asked.ok ? undefined : asked.failure?.reason
  if (!asked.ok && (reason === undefined || UNTELLING.has(reason))) return
  const due = pool.experience.note(provider, model, asked.ok, ctx.now().getTime())
  if (due && pool.settings.routing.order === 'experience') observed.emit(due)
}
const UNTELLING: ReadonlySet<string> = new Set(['refused', 'rate_limited', 'busy', 'too_large'])

/** The provider counts as one that cannot be reached, so that the next one is asked. */
function unknownWire(name: string, draft: Draft): Asked {
  return { ok: false, draft, begun: false, failure: { reason: 'unreachable', says: `no running plugin contributes its wire, ${name}` } }
}

/** Tokens of what has come of an answer, estimated by its characters. */
function outputSoFar({ text, hiddenCharacters, toolCalls }: Draft): number {
  const asking = toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0)
  return Math.ceil((text.length + hiddenCharacters + asking) / CHARACTERS_A_TOKEN)
}

function measure(
  { modelDuration, tokens }: Refs,
  { provider, model }: Candidate,
  asked: Asked,
  usage: ModelUsage,
  durationMs: number,
): void {
  const error = asked.ok ? '' : (asked.failure?.reason ?? 'stopped')
  modelDuration.observe(durationMs / 1_000, provider, model, error)
  if (!asked.ok) return
  tokens.observe(usage.inputTokens, provider, 'input')
  tokens.observe(usage.outputTokens, provider, 'output')
}
