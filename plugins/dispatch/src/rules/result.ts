import { createHash } from 'node:crypto'
import type { Draft } from '@gateway/plugin-mailbox/api'
import type { Task } from '@gateway/plugin-tasks/api'

interface Result {
  readonly taskId: string
  readonly outcome: 'done' | 'failed'
  readonly summary: string | undefined
  readonly links: readonly string[]
}

export function resultBody({ taskId, outcome, summary, links }: Result): string {
  return [`Task ${taskId}: ${outcome}.`, summary, ...links.map((link) => `- ${link}`)].filter((line) => line !== undefined).join('\n')
}

/** Equal for letters of equal content. */
export const letterHash = (letter: Draft): string => createHash('sha256').update(JSON.stringify(letter)).digest('base64url')

/** Names the present try of a task: it changes when the task is taken again, and when it ends. */
export const attemptOf = ({ startedAt = '', completedAt = '' }: Task): string => `${startedAt} ${completedAt}`
