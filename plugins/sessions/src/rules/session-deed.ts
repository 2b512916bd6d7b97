import type { AgentDeed } from '@gateway/sdk'
import type { StoredSession } from '../schema.ts'

export const sessionDeed = (
  { sessionId, messageCount, updatedAt }: StoredSession,
  title = `Session of ${messageCount} messages`,
): AgentDeed => ({
  kind: 'session',
  id: sessionId,
  title,
  at: updatedAt,
  page: `/sessions/${encodeURIComponent(sessionId)}`,
})
