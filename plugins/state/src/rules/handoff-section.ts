import { markdownHeadings } from '@gateway/sdk'
import type { Handoff } from '../schema.ts'
import { closedHeadings, titleOf } from './headings.ts'

/** Mark that shows if a file holds an entry already. */
export const markOf = (handoffId: string): string => `<!-- ${handoffId} -->`

export function handoffSection(entry: Handoff): string {
  const { createdAt, summary, content } = entry
  return `## ${createdAt} ${summary?.trim() ?? 'Handoff'}\n\n${sectionHead(entry)}${within(content)}`
}

/** Returns what a section has between its heading and the content of the entry. */
export function sectionHead({ handoffId, author, branch, machine, sessionId }: Handoff): string {
  const facts = Object.entries({ author, branch, machine, session: sessionId }).filter(([, value]) => value !== undefined)
  const line = facts.map(([name, value]) => `${name}: ${value}`).join(' · ')
  return [markOf(handoffId), line, ''].filter((part, at) => part !== '' || at === 2).join('\n\n')
}

/**
 * Keeps the content within one section: its headings go two levels lower, and an open block becomes a quote, which closes
 * automatically.
 */
function within(content: string): string {
  const lowered = lowerHeadings(content)
  if (closedHeadings(lowered)) return lowered
  return lowered
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n')
}

const MAX_LEVEL = 6

function lowerHeadings(content: string): string {
  let from = 0
  let lowered = ''
  for (const { level, words, start, end } of markdownHeadings(content)) {
    lowered += `${content.slice(from, start)}${'#'.repeat(Math.min(level + 2, MAX_LEVEL))} ${titleOf(words)}\n`
    from = end
  }
  return lowered + content.slice(from)
}
