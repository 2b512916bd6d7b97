import { createHash } from 'node:crypto'
import {
  atomically,
  BadRequest,
  type CallContext,
  cutText,
  DAY_MS,
  DuplicateKey,
  isToolError,
  type Resolved,
  Unavailable,
} from '@gateway/sdk'
import { readJson } from '@gateway/sdk/json'
import { redactText } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import { codeHosting } from '../api.ts'
import { inbound, rings } from '../collections.ts'
import { config } from '../config.ts'
import { WebhookSignatureInvalid } from '../errors.ts'
import { type CodeHostingNews, readNews } from '../rules/code-hosting.ts'
import { isSignedWith, isToken } from '../rules/inbound-signature.ts'
import { payloadOf } from '../rules/payload.ts'
import type { StoredInbound } from '../schema.ts'
import { knownRepoUses, withKnownRepo } from './known-repo.ts'

export const receiveUses = { inbound, rings, config, atomically, listeners: codeHosting, ...knownRepoUses }
type Refs = Resolved<typeof receiveUses>

export interface IncomingWebhook {
  readonly signature: string | undefined
  /** The secret itself, from a host that does not sign. */
  readonly token: string | undefined
  readonly event: string | undefined
  readonly deliveryId: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
}
export interface Received {
  readonly deliveryId: string
  /** True if it had been received before and changed nothing this time. */
  readonly duplicate: boolean
  readonly understood: boolean
  readonly changed: readonly string[]
}

const MAX_ID = 200
const MAX_KEPT_CHARACTERS = 8_192
const LIMITS = { depth: 64, values: 500_000 }

export function secretOf({ codeHostingSecret }: Pick<Refs['config'], 'codeHostingSecret'>): string {
  if (codeHostingSecret !== undefined) return codeHostingSecret
  throw Unavailable({
    setting: 'CODE_HOSTING_WEBHOOK_SECRET',
    message: 'Webhooks of code hosting are refused: CODE_HOSTING_WEBHOOK_SECRET is not set to the secret that signs them.',
  })
}

/**
 * Stores a webhook and passes it to the families that use it, as one change. A repeated delivery changes nothing, nor does the
 * same body under another id.
 */
export async function receive(
  refs: Refs,
  { signature, token, event, deliveryId, contentType, body }: IncomingWebhook,
  ctx: CallContext,
): Promise<Received> {
  const secret = secretOf(refs.config)
  if (!isSignedWith(secret, body, signature) && !isToken(secret, token))
    throw WebhookSignatureInvalid({ header: 'x-webhook-signature-256' })
  const kind = named('x-webhook-event', event)
  const id = named('x-webhook-delivery', deliveryId)
  const read = readJson(payloadOf(body, contentType), LIMITS)
  if (read.fault !== undefined) {
    const got = `got ${contentType ?? 'no content type'}, with the fault ${read.fault}`
    throw BadRequest({ field: 'body', message: `\`body\` must be JSON, or a form with JSON in its field payload; ${got}.` })
  }
  const news = readNews(kind, read.value, ctx.now().toISOString())
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const shown = cutText(redactText(read.text.slice(0, 2 * MAX_KEPT_CHARACTERS)), MAX_KEPT_CHARACTERS)
  try {
    const known = news && (await withKnownRepo(refs, news))
    return await keep(refs, { deliveryId: id, bodyHash, event: kind, body: shown }, known)
  } catch (error) {
    if (!isToolError(error) || error.code !== DuplicateKey.code) throw error
    const [before] = [
      ...(await refs.inbound.find({ where: { deliveryId: id }, limit: 1 })).items,
      ...(await refs.inbound.find({ where: { bodyHash }, limit: 1 })).items,
    ]
    if (!before) throw error
    return { deliveryId: id, duplicate: true, understood: before.understood, changed: before.changed }
  }
}

function keep(
  refs: Refs,
  received: Pick<StoredInbound, 'deliveryId' | 'bodyHash' | 'event' | 'body'>,
  news: CodeHostingNews | undefined,
): Promise<Received> {
  return refs.atomically(async (tx) => {
    const past = new Date(tx.now.getTime() - refs.config.inboundDays * DAY_MS).toISOString()
    const ring = {
      states: refs.rings,
      documents: refs.inbound,
      key: 'inboundId',
      prefix: 'inbound-',
      max: refs.config.inboundKept,
      isPast: ({ receivedAt }: StoredInbound) => receivedAt < past,
    } as const
    const [inboundId] = (await takePlaces(ring, 1, tx)) as [string]
    const understood = news !== undefined
    const kept = { inboundId, ...received, receivedAt: tx.now.toISOString(), understood, changed: [] }
    // First, so that a repeated one does nothing.
    await refs.inbound.in(tx).insert(kept)
    const changed: string[] = []
    for (const listener of refs.listeners) {
      if (news?.kind === 'push') changed.push(...((await listener.pushed?.(news.push, tx)) ?? []))
      if (news?.kind === 'pull-request') changed.push(...((await listener.pullRequest?.(news.pullRequest, tx)) ?? []))
      if (news?.kind === 'check') changed.push(...((await listener.checked?.(news.check, tx)) ?? []))
      if (news?.kind === 'review') changed.push(...((await listener.reviewed?.(news.review, tx)) ?? []))
    }
    if (changed.length > 0) await refs.inbound.in(tx).updateOne(inboundId, { set: { changed } })
    return { deliveryId: received.deliveryId, duplicate: false, understood, changed }
  })
}

function named(header: string, value: string | undefined): string {
  if (value !== undefined && value.length <= MAX_ID && /^[\x21-\x7e]+$/.test(value)) return value
  const received = value === undefined ? 'none' : JSON.stringify(value.slice(0, MAX_ID))
  throw BadRequest({
    field: header,
    message: `The header ${header} must be 1 to ${MAX_ID} characters of ASCII without spaces; got ${received}.`,
  })
}
