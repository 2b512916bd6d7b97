import { markdownHeadings } from '@gateway/sdk'
import type { Handoff } from '../schema.ts'
import { closedHeadings, titleOf } from './headings.ts'

/** Mark that shows if a file holds an entry already. */
export const markOf = (handoffId: string): string => `<!-- ${handoffId} -->`

export function handoffSection(entry: Handoff): string {
  const { handoffId, createdAt, summary, author, branch, machine, sessionId, content } = entry
  const facts = Object.entries({ author, branch, machine, session: sessionId }).filter(([, value]) => value !== undefined)
  const line = facts.map(([name, value]) => `${name}: ${value}`).join(' · ')
  const heading = `## ${createdAt} ${summary?.trim() ?? 'Handoff'}`
  return [heading, markOf(handoffId), ...(line === '' ? [] : [line]), within(content)].join('\n\n')
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
