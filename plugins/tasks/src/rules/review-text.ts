import { cutText } from '@gateway/sdk'
import type { Task } from '../schema.ts'

const MAX_NOTE = 200

/** The line about a task in review: where its work is, whether it changed code, and the end of its worker's report. */
export function reviewText({ prUrl, repo, noopDispatchCount, notes = '' }: Task): string {
  const said = notes.trim()
  const last = said.slice(said.lastIndexOf('\n\n') + 1).trim()
  const noop = noopDispatchCount > 0 ? 'changed docs or state only' : ''
  return [prUrl ?? `Repo ${repo}`, noop, cutText(last, MAX_NOTE)].filter((part) => part !== '').join(' · ')
}
