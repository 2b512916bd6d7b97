import type { SessionText } from '@gateway/plugin-sessions/api'
import type { MemoryDocument } from '../api.ts'

/** Origins of conversations are the name of this contributor and the id of the session. */
export const CONVERSATIONS = 'sessions'
/** Tag of what was said in a conversation, which the activity of its session shows as a message. */
export const MESSAGE_TAG = 'session:message'

export const originOfSession = (sessionId: string): string => `${CONVERSATIONS}:${sessionId}`

export function documentsOfSession(
  { sessionId, agentName }: { readonly sessionId: string; readonly agentName: string },
  texts: readonly SessionText[],
): readonly MemoryDocument[] {
  return texts.map(({ role, content, createdAt }) => ({
    markdown: content,
    source: 'archive',
    title: `Session of ${agentName}`,
    tags: [MESSAGE_TAG, `role:${role}`],
    sessionId,
    createdAt,
    cut: 'headings',
  }))
}
