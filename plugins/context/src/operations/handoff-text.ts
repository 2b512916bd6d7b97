import type { Handoff, StateRepo, States } from '@gateway/plugin-state/api'
import { isToolError } from '@gateway/sdk'

/** The latest entry, then the handoff that people and other programs wrote into the repo's own file. */
export function handoffText(entry: Handoff | undefined, notes: string): string {
  if (!entry) return notes
  const head = `${entry.createdAt}${entry.summary ? ` ${entry.summary}` : ''}`
  return [`${head}\n${entry.content}`, ...(notes === '' ? [] : [`From HANDOFF.md:\n${notes}`])].join('\n\n')
}

/** A file that cannot be read is reported in its place: it must not stop a session from beginning. */
export async function handoffNotes(repo: StateRepo, states: States): Promise<string> {
  try {
    return (await states.handoffNotes(repo.folder ?? repo.name))?.content ?? ''
  } catch (error) {
    if (!isToolError(error)) throw error
    return error.code === 'NOT_FOUND' ? '' : `The handoff file cannot be read: ${error.message}`
  }
}
