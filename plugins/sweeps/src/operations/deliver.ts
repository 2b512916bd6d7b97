import { defined, LOCAL_TENANT, type Toolbox } from '@gateway/sdk'
import { ask } from './ask.ts'

/** Limit of a chat message. */
const LONGEST = 8_000

interface Sent {
  readonly results: readonly { readonly status: string; readonly error?: string }[]
  readonly reason?: string
}

export interface Report {
  readonly title: string
  readonly text: string
  /** Named by the caller; otherwise the default one. */
  readonly chatId: string | undefined
  readonly defaultChat: string | undefined
}

export async function deliver(
  tools: Toolbox,
  { title, text, chatId, defaultChat }: Report,
  tenantId: string,
): Promise<{ delivered: boolean; note?: string }> {
  if (chatId === undefined && defaultChat === undefined)
    return { delivered: false, note: 'No chat: chatId was not given and DEFAULT_CHAT_ID is not set.' }
  const message = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text
  // Only the operator's own tenant may name a chat; without one a notification goes to that of the channel, which is the default
  // one too.
  const to = chatId ?? (tenantId === LOCAL_TENANT ? defaultChat : undefined)
  const sent = await ask<Sent>(tools, 'notifications_send', { message, title, source: 'sweeps', ...defined({ chatId: to }) })
  if (!sent.there) return { delivered: false, note: sent.why }
  if (sent.result.results.some(({ status }) => status === 'sent')) return { delivered: true }
  const note = sent.result.reason ?? sent.result.results.find(({ error }) => error !== undefined)?.error
  return { delivered: false, note: note ?? 'No channel has taken it.' }
}
