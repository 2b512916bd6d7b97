import type { Work } from './git.ts'

/** Author that tells an entry of this hook from one that an agent wrote. */
export const AUTHOR = 'gateway hook'
const CARRIED = '\n\n## Handed over before\n\n'
const MAX_CARRIED = 8_000
const MAX_LINES = 30

export interface Before {
  readonly content: string
  readonly author?: string
}

/**
 * Returns git's record of a session's work, followed by an earlier handoff that somebody wrote: the next session reads the latest
 * entry, and this one must not hide that.
 */
export function handoffText(work: Work, before: Before | null | undefined): { readonly content: string; readonly summary: string } {
  const { branch, commits, uncommitted } = work
  const summary = `The session ended with ${count(commits, 'new commit')} and ${count(uncommitted, 'uncommitted file')}${branch === '' ? '' : ` on ${branch}`}.`
  const parts = [summary, list('Commits', commits), list('Uncommitted', uncommitted)].filter((part) => part !== '')
  const carried = carriedOn(before)
  return { summary: summary.slice(0, 500), content: parts.join('\n\n') + (carried === '' ? '' : CARRIED + carried) }
}

function carriedOn(before: Before | null | undefined): string {
  if (!before) return ''
  const text = before.author === AUTHOR ? (before.content.split(CARRIED)[1] ?? '') : before.content
  return text.length > MAX_CARRIED ? `${text.slice(0, MAX_CARRIED)}…` : text
}

const count = (lines: readonly string[], what: string): string => `${lines.length} ${what}${lines.length === 1 ? '' : 's'}`

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, MAX_LINES).map((line) => `    ${line.slice(0, 300)}`)
  const more = lines.length > MAX_LINES ? [`    and ${lines.length - MAX_LINES} more`] : []
  return [`${title}:`, '', ...shown, ...more].join('\n')
}
