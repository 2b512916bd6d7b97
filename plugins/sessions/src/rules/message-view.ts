import type { Message, StoredMessage } from '../schema.ts'

/** Longer than any agent may take (`answerSeconds` and some): the caller that waited is gone. */
const MARGIN_SECONDS = 60
const CUT_OFF = 'The gateway stopped before the answer arrived.'

/** Returns the public form of a message. A message older than an agent may take was cut off by a stop or a crash. */
export function messageView(
  stored: StoredMessage,
  { now, answerSeconds }: { readonly now: Date; readonly answerSeconds: number },
): Message {
  const { place: _place, sessionId: _session, seq: _seq, ...message } = stored
  const isCutOff = message.state === 'pending' && now.getTime() - Date.parse(message.createdAt) > (answerSeconds + MARGIN_SECONDS) * 1_000
  return isCutOff ? { ...message, state: 'failed', error: CUT_OFF } : message
}

/** Returns the bytes that count toward the session's limit. */
export function bytesOf({ content, metadata }: Pick<Message, 'content' | 'metadata'>): number {
  return Buffer.byteLength(JSON.stringify({ content, metadata })) + FRAME_BYTES
}
/** Bytes for ids, times and names. */
const FRAME_BYTES = 250
