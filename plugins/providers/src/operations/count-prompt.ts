import type { CallContext, Resolved } from '@gateway/sdk'
import type { ModelRelay, PromptRequest } from '../api.ts'
import { relayLimits } from '../config.ts'
import type { PromptCount, Wire } from '../rules/answer.ts'
import type { Candidate } from '../rules/candidates.ts'
import { type Failure, failureOf } from '../rules/failure.ts'
import { bodyText } from '../rules/relay.ts'
import { servesClients, wireOf } from '../rules/wire-of.ts'
import { readRefusal } from './ask.ts'
import { type completeUses, routeFor } from './complete.ts'
import { noneAnswered, refusedCall } from './failed-hops.ts'
import { payerOf } from './spending.ts'

type Refs = Resolved<typeof completeUses>

/** A count is asked for before a call, which waits for it meanwhile. */
const TIMEOUT_MS = 10_000
const MAX_BYTES = 65_536
/** Statuses of servers of the wire that have no address for counts. */
const HAS_NONE: ReadonlySet<number | undefined> = new Set([404, 405, 501])

/**
 * Asks the provider that a call would ask, once, for the tokens of its prompt. It is asked only while it takes calls, and its answer changes
 * nothing for them: counts have a breaker of their own, because a server may fail to count and answer well, or the other way round.
 */
export async function countPrompt(refs: Refs, request: PromptRequest, ctx: CallContext): Promise<number | undefined> {
  const { pool, wires } = refs
  ctx.signal.throwIfAborted()
  const { candidates } = await routeFor(refs, request, payerOf(request, ctx), ctx)
  const now = ctx.now().getTime()
  const { candidate } = pool.look(candidates, now)
  if (!candidate) throw noneAnswered([])
  const wire = wireOf(pool.of(candidate.provider).wire, wires, request.relay)
  const leave = wire?.count && pool.gate(candidate.provider).enterAside(now)
  if (!wire?.count || !leave) return undefined
  try {
    const counted = await ask(refs, wire.count, wire.headers, candidate, request.relay, ctx)
    if (typeof counted !== 'object') return counted
    const isRefused = counted.reason === 'refused' && !HAS_NONE.has(counted.status)
    if (isRefused) throw refusedCall({ candidate, failure: counted })
    return undefined
  } finally {
    leave()
  }
}

async function ask(
  { pool, http }: Refs,
  count: PromptCount,
  wireHeaders: Wire['headers'],
  { provider, model }: Candidate,
  relay: ModelRelay,
  ctx: CallContext,
): Promise<number | undefined | Failure> {
  const settings = pool.of(provider)
  const { baseUrl, apiKey, wire } = settings
  if (!servesClients(wire)) return undefined
  const { connectMs, firstTokenMs } = pool.settings
  const request = {
    url: baseUrl.replace(/\/+$/, '') + count.path,
    reach: 'operator',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...wireHeaders(apiKey), ...relay.headers?.(wire) },
    body: bodyText(relay.body(wire, model, relayLimits(settings))),
    timeouts: { connectMs, firstByteMs: Math.min(firstTokenMs, TIMEOUT_MS), totalMs: TIMEOUT_MS },
    maxResponseBytes: MAX_BYTES,
    breaker: `counts of ${provider}`,
  } as const
  try {
    const response = await http.open(request, { tenantId: ctx.tenantId, signal: ctx.signal, now: () => ctx.now() })
    if (response.status !== 200) return await readRefusal(response, settings, ctx.now())
    return count.read((await response.bytes()).toString('utf8'))
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = failureOf(error)
    if (!failure) throw error
    return failure
  }
}
