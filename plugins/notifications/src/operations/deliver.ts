import { outgoing } from '@gateway/plugin-outgoing/api'
import { type CallContext, cutText, isToolError, LOCAL_TENANT, type Resolved, type ToolError } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import { channelKinds } from '../api.ts'
import { config } from '../config.ts'
import { channelRequest } from '../rules/channel-request.ts'
import { type Channel, channelOf, isChat, isEnabled, isWebhook } from '../rules/channels.ts'
import type { ChannelResult, ComposedNote } from '../schema.ts'
import { sendByKind } from './send-by-kind.ts'

export const delivering = { outgoing, config, kinds: channelKinds }
type Refs = Resolved<typeof delivering>

/** Enough to read the reason; a channel's answer is not kept. */
const MAX_ANSWER_BYTES = 65_536
const MAX_REASON_CHARACTERS = 300

interface Delivery {
  readonly note: ComposedNote
  readonly channels: readonly string[]
  readonly chatId?: string | undefined
  /** A channel that is named for a test may be switched off. */
  readonly evenDisabled?: boolean
}

/** Sends a note to channels, all at once, each within its time limit. Never throws: an error is the channel's result. */
export function deliver(
  refs: Refs,
  { note, channels, chatId, evenDisabled = false }: Delivery,
  ctx: CallContext,
): Promise<ChannelResult[]> {
  const { config } = refs
  // Channels belong to the operator: a tenant learns the outcome of its message, but neither the channels' addresses nor their
  // answers.
  const isOperators = ctx.tenantId === LOCAL_TENANT
  async function one(name: string): Promise<ChannelResult> {
    const failed = (error: string, transient = false): ChannelResult => ({
      channel: name,
      status: 'failed',
      error: cutText(redactText(error), MAX_REASON_CHARACTERS),
      ...(transient && { transient }),
    })
    const channel = channelOf(config.channels, name)
    if (!channel) return failed(unknown(Object.keys(config.channels)))
    if (!isEnabled(channel) && !evenDisabled) return failed('The channel is disabled: its setting `enabled` is false.')
    const totalMs = Math.ceil(config.timeoutSeconds * 1_000)
    if (!isChat(channel) && !isWebhook(channel)) {
      const outcome = await sendByKind(refs.kinds, channel, note, totalMs, ctx)
      return outcome.sent ? { channel: name, status: 'sent' } : failed(outcome.error, outcome.transient)
    }
    const request = channelRequest(channel, note, ctx.now(), chatId ?? chatOf(channel, config.defaultChatId))
    if (!request) return failed('No chat is known: name one as chatId, in the channel’s setting, or as DEFAULT_CHAT_ID.')
    try {
      const { status, body } = await refs.outgoing.send(
        {
          ...request,
          reach: 'operator',
          headers: { 'content-type': 'application/json' },
          timeouts: { connectMs: Math.min(totalMs, 10_000), firstByteMs: totalMs, totalMs },
          maxResponseBytes: MAX_ANSWER_BYTES,
        },
        ctx,
      )
      if (status >= 200 && status < 300) return { channel: name, status: 'sent' }
      return failed(`It answered ${status}${isOperators ? reason(body) : '.'}`, status >= 500 || status === 429)
    } catch (error) {
      // Its messages name only the origin: the token is part of a URL.
      if (isToolError(error)) return failed(isOperators ? error.message : withoutAddress(error), true)
      ctx.log.error('a notification could not be sent', { channel: name, err: error })
      return failed('It could not be sent; the log says why.', true)
    }
  }
  return Promise.all([...new Set(channels)].map(one))
}

const chatOf = (channel: Channel, fallback: string | undefined): string | undefined =>
  isChat(channel) ? (channel.chatId ?? fallback) : undefined

const unknown = (names: readonly string[]): string =>
  `There is no channel of this name; ${names.length === 0 ? 'plugins.notifications.channels sets none' : `there are ${names.join(', ')}`}.`

function withoutAddress({ message, details }: ToolError): string {
  const { origin } = (details ?? {}) as { readonly origin?: unknown }
  if (typeof origin !== 'string') return 'The channel could not be reached.'
  const masked = message.replaceAll(origin, 'the channel')
  return `${masked[0]?.toUpperCase()}${masked.slice(1)}`
}

function reason(body: Buffer): string {
  try {
    const { description } = JSON.parse(body.toString()) as { description?: unknown }
    return typeof description === 'string' ? `: ${description}` : '.'
  } catch {
    return '.'
  }
}
