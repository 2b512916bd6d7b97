import type { SessionText } from '@gateway/plugin-sessions/api'
import type { ForgetFilter, MemoryDocument } from '../api.ts'

/** Origins of conversations are the name of this contributor and the id of the session. */
export const CONVERSATIONS = 'sessions'
/** Tag of what was said in a conversation, which the activity of its session shows as a message. */
export const MESSAGE_TAG = 'session:message'
/** Beginning of the tag that says who said it. */
export const ROLE_TAG = 'role:'

export const originOfSession = (sessionId: string): string => `${CONVERSATIONS}:${sessionId}`
/** Condition that an origin is a conversation. */
export const CONVERSATION_ORIGINS = { origin: { prefix: `${CONVERSATIONS}:` } } as const
export const isOfConversation = (origin: string): boolean => origin.startsWith(`${CONVERSATIONS}:`)

/**
 * True if a call that forgets erases messages of conversations as well: it names their words, or their tag. They belong to no repo,
 * and a source or a time alone means archives.
 */
export const erasesMessages = ({ query, tags, repo }: ForgetFilter): boolean =>
  repo === undefined && (query !== undefined || (tags?.includes(MESSAGE_TAG) ?? false))

export function documentsOfSession(
  { sessionId, agentName }: { readonly sessionId: string; readonly agentName: string },
  texts: readonly SessionText[],
): readonly MemoryDocument[] {
  return texts.map(({ role, content, createdAt }) => ({
    markdown: content,
    source: 'archive',
    title: `Session of ${agentName}`,
    tags: [MESSAGE_TAG, `${ROLE_TAG}${role}`],
    sessionId,
    createdAt,
    cut: 'headings',
  }))
}
