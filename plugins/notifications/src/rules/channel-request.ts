import type { Note } from '../schema.ts'
import { type ChatChannel, isWebhook, type WebhookChannel } from './channels.ts'
import { chatText } from './chat-text.ts'

export interface ChannelRequest {
  readonly url: string
  readonly body: string
}

/** Request to a channel; a chat channel writes to `chatId`, and without one the result is `undefined`. */
export function channelRequest(
  channel: ChatChannel | WebhookChannel,
  note: Note,
  at: Date,
  chatId: string | undefined,
): ChannelRequest | undefined {
  if (isWebhook(channel)) {
    const { title, message, level, source } = note
    return { url: channel.url, body: JSON.stringify({ title, message, level, source, at: at.toISOString() }) }
  }
  if (chatId === undefined) return undefined
  return {
    url: `${channel.baseUrl.replace(/\/+$/, '')}/bot${channel.token}/sendMessage`,
    body: JSON.stringify({ chat_id: chatId, text: chatText(note) }),
  }
}
