import type { Message, StoredMessage } from '../schema.ts'

/** Longer than any agent may take (`answerSeconds` and some): who waited for the answer is gone. */
const MARGIN_SECONDS = 60
const CUT_OFF = 'The gateway stopped before an answer came.'

/** A message as it is shown. One that has waited longer than an agent may take was cut off by a stop or a crash. */
export function messageView(
  stored: StoredMessage,
  { now, answerSeconds }: { readonly now: Date; readonly answerSeconds: number },
): Message {
  const { place: _place, sessionId: _session, seq: _seq, ...message } = stored
  const isCutOff = message.state === 'pending' && now.getTime() - Date.parse(message.createdAt) > (answerSeconds + MARGIN_SECONDS) * 1_000
  return isCutOff ? { ...message, state: 'failed', error: CUT_OFF } : message
}

/** What a message takes of the bytes that a session may have. */
export function bytesOf({ content, metadata }: Pick<Message, 'content' | 'metadata'>): number {
  return Buffer.byteLength(JSON.stringify({ content, metadata })) + FRAME_BYTES
}
/** Ids, times and names around it. */
const FRAME_BYTES = 250
