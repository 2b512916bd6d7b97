import { cutText } from '@gateway/sdk'
import type { Session } from '../schema.ts'

const MAX_LINE = 400
const MAX_DIGEST = 16_000

export function digestOf(sessions: readonly Session[]): string {
  if (sessions.length === 0) return 'No sessions yet.'
  const parts = ['# Recent sessions', ...sessions.map(partOf)]
  return cutText(parts.join('\n\n'), MAX_DIGEST)
}

function partOf({ sessionId, agentName, status, updatedAt, messageCount, messages }: Session): string {
  const head = `## ${agentName}, ${updatedAt}\n\n\`${sessionId}\`, ${status}, ${messageCount} ${messageCount === 1 ? 'message' : 'messages'}`
  const lines = messages.map(({ role, content }) => `- **${role}**: ${oneLine(content)}`)
  return [head, ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n')
}

function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > MAX_LINE ? `${cutText(line, MAX_LINE)}…` : line
}
