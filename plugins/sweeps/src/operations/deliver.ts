import type { Toolbox } from '@gateway/sdk'
import { ask } from './ask.ts'

/** As much as a message to a chat may have. */
const LONGEST = 8_000

interface Sent {
  readonly results: readonly { readonly status: string; readonly error?: string }[]
  readonly reason?: string
}

export async function deliver(
  tools: Toolbox,
  { title, text, chatId }: { readonly title: string; readonly text: string; readonly chatId: string | undefined },
): Promise<{ delivered: boolean; note?: string }> {
  if (chatId === undefined) return { delivered: false, note: 'No chat: chatId was not given and DEFAULT_CHAT_ID is not set.' }
  const message = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text
  const sent = await ask<Sent>(tools, 'notifications_send', { message, chatId, title, source: 'sweeps' })
  if (!sent.there) return { delivered: false, note: sent.why }
  if (sent.result.results.some(({ status }) => status === 'sent')) return { delivered: true }
  const note = sent.result.reason ?? sent.result.results.find(({ error }) => error !== undefined)?.error
  return { delivered: false, note: note ?? 'No channel has taken it.' }
}
