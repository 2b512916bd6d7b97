import { type Outgoing, type OutgoingResponse, OutgoingTimeout } from '@gateway/plugin-outgoing/api'
import { cutText, isToolError, readRetryAfter } from '@gateway/sdk'
import { storableText } from '@gateway/sdk/redact'
import { type ProviderSettings, relayLimits } from '../config.ts'
import { type Draft, emptyDraft, Malformed, type Prompt, type Wire } from '../rules/answer.ts'
import { type Failure, failureOf, failureOfStatus, withoutText } from '../rules/failure.ts'
import { bodyText, type ModelRelay } from '../rules/relay.ts'
import { servesClients } from '../rules/wire-of.ts'

const MAX_SAID = 300
/** Limit of an unsuccessful answer: enough for the reason it gives. */
const MAX_REFUSAL_BYTES = 65_536

export interface AskLimits {
  readonly connectMs: number
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly maxAnswerBytes: number
}
export interface Question extends Prompt {
  readonly tenantId: string
  readonly signal: AbortSignal
  readonly relay?: ModelRelay | undefined
  now(): Date
  beforeEffect(): Promise<void>
  /** Resolves when the part of the answer that has come is on record; undefined if it is. */
  covered?(): Promise<void> | undefined
  onDelta(text: string): void
}

/** End of an attempt. Text received before a failure is in the draft. */
export type Asked = { readonly ok: true; readonly draft: Draft; readonly firstTokenMs: number } | FailedAttempt

export interface FailedAttempt {
  readonly ok: false
  readonly draft: Draft
  /** True if a part of an answer was received. */
  readonly begun: boolean
  /**
   * True if the provider works on an answer that nobody reads: one in one piece that comes too late, or any whose caller has left before it
   * began. The provider bills it, however large it is.
   */
  readonly isUnread?: boolean
  readonly failure?: Failure
  readonly error?: unknown
}

/** Asks one provider once, on its wire. Never throws: the payer must know what was received, however it ended. */
export async function ask(
  http: Outgoing,
  wire: Wire,
  settings: ProviderSettings,
  limits: AskLimits,
  question: Question,
  draft: Draft = emptyDraft(),
): Promise<Asked> {
  const { relay } = question
  const started = performance.now()
  let firstTokenMs: number | undefined
  let begun = false
  let sent = false
  try {
    const response = await open(http, wire, settings, limits, question, () => (sent = true))
    if (response.status !== 200) return { ok: false, draft, begun, failure: await readRefusal(response, settings, question.now()) }
    for await (const added of readAnswer(wire, response, draft, question)) {
      begun = true
      if (added === '') continue
      firstTokenMs ??= performance.now() - started
      question.onDelta(added)
    }
    if (!draft.done) return { ok: false, draft, begun, failure: { reason: 'reset', says: 'it broke its answer off' } }
    // A relayed answer is the client's to judge.
    const failure = relay ? undefined : withoutText(draft, question.messages.at(-1)?.role === 'tool')
    if (failure) return { ok: false, draft, begun, failure }
    return { ok: true, draft, firstTokenMs: firstTokenMs ?? performance.now() - started }
  } catch (error) {
    if (question.signal.aborted) return { ok: false, draft, begun, isUnread: sent && !begun, error: question.signal.reason }
    const failure = failureOf(error)
    if (!failure) return { ok: false, draft, begun, error }
    const isUnread = relay?.streams === false && sent && !begun && isTimeout(error)
    return { ok: false, draft, begun, isUnread, failure: { ...failure, says: presentable(failure.says, settings) } }
  }
}

const isTimeout = (error: unknown): boolean => isToolError(error) && error.code === OutgoingTimeout.code

function open(
  http: Outgoing,
  wire: Wire,
  settings: ProviderSettings,
  limits: AskLimits,
  question: Question,
  onSent: () => void,
): Promise<OutgoingResponse> {
  const { connectMs, firstTokenMs, idleMs, totalMs, maxAnswerBytes: maxResponseBytes } = limits
  // The first byte of an answer in one piece comes with its last.
  const firstByteMs = question.relay?.streams === false ? totalMs : firstTokenMs
  return http.open(
    {
      url: settings.baseUrl.replace(/\/+$/, '') + wire.path,
      reach: 'operator',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...wire.headers(settings.apiKey),
        ...(servesClients(settings.wire) && question.relay?.headers?.(settings.wire)),
      },
      body: bodyText(bodyOf(wire, settings, question)),
      timeouts: { connectMs, firstByteMs, idleMs, totalMs },
      maxResponseBytes,
      breaker: false,
      onSent,
    },
    question,
  )
}

function bodyOf(wire: Wire, settings: ProviderSettings, question: Question): object | string {
  const limits = relayLimits(settings)
  if (question.relay && servesClients(settings.wire)) return question.relay.body(settings.wire, question.model, limits)
  return wire.body({ ...question, limitField: limits.limitField })
}

async function* readAnswer(wire: Wire, response: OutgoingResponse, draft: Draft, question: Question): AsyncGenerator<string> {
  const { relay } = question
  const type = String(response.headers['content-type'] ?? '')
  if (type.startsWith('text/event-stream')) {
    for await (const { event, data } of response.events()) {
      if (data === '') continue
      const added = wire.readEvent(draft, data)
      await question.covered?.()
      yield added
      relay?.onRaw?.({ event, data, whole: false })
    }
  } else if (type.startsWith('application/json')) {
    const data = (await response.bytes()).toString('utf8')
    const added = wire.readWhole(draft, data)
    await question.covered?.()
    yield added
    relay?.onRaw?.({ data, whole: true })
  } else {
    response.cancel()
    throw new Malformed('it is neither a stream of events nor JSON')
  }
}

/** The failure that an unsuccessful answer tells of. */
export async function readRefusal(response: OutgoingResponse, settings: ProviderSettings, now: Date): Promise<Failure> {
  const retryAfterMs = readRetryAfter(response.headers['retry-after'], now.getTime())
  return failureOfStatus(response.status, presentable(await reasonGiven(response), settings), retryAfterMs)
}

async function reasonGiven(response: OutgoingResponse): Promise<string> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_REFUSAL_BYTES) {
    response.cancel()
    return ''
  }
  try {
    const { error, message } = JSON.parse((await response.bytes()).toString('utf8')) as { error?: unknown; message?: unknown }
    const said = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : (error ?? message)
    return typeof said === 'string' ? said : ''
  } catch {
    return ''
  }
}

/** A provider's message without the key that providers repeat. */
function presentable(said: string, { apiKey, baseUrl }: ProviderSettings): string {
  const secrets = [apiKey, baseUrl].filter((secret) => secret !== undefined && secret.length > 0) as string[]
  const plain = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), said)
  return cutText(storableText(plain, MAX_SAID), MAX_SAID)
}
