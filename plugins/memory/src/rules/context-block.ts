import { cutText } from '@gateway/sdk'
import type { Chunk, ChunkSource } from '../schema.ts'
import { spokenDate } from './dates.ts'
import { forPrompt } from './outside.ts'

/** The usual estimate for English text and code. */
export const CHARACTERS_A_TOKEN = 4

export interface Section {
  readonly title: string
  readonly source: ChunkSource
}
/** Sections of a context, in reading order. */
export const CONTEXT_SECTIONS: readonly Section[] = [
  { title: 'State', source: 'state' },
  { title: 'Handoff', source: 'handoff' },
  { title: 'Patterns', source: 'pattern' },
]

export interface Block {
  readonly markdown: string
  readonly chunks: number
  readonly truncated: boolean
}

/**
 * Builds one Markdown block of the sections that have chunks, within `maxCharacters`: whole chunks while they fit, then a part of
 * the next.
 */
export function contextBlock(
  repo: string | undefined,
  sections: readonly { readonly title: string; readonly chunks: readonly Chunk[] }[],
  maxCharacters = Number.POSITIVE_INFINITY,
): Block {
  const filled = sections.filter(({ chunks }) => chunks.length > 0)
  if (filled.length === 0) return { markdown: '', chunks: 0, truncated: false }
  let markdown = `# Memory${repo === undefined ? '' : ` of ${repo}`}\n`
  let count = 0
  for (const { title, chunks } of filled) {
    let head = `\n## ${title}\n`
    for (const chunk of chunks) {
      const room = maxCharacters - markdown.length
      const entry = `${head}\n${entryOf(chunk, repo)}\n`
      if (entry.length > room) {
        const part = room > MIN_PART ? cutText(entry, room - MORE.length) + MORE : ''
        return { markdown: cutText(markdown + part, Math.max(0, maxCharacters)), chunks: count + (part === '' ? 0 : 1), truncated: true }
      }
      markdown += entry
      head = ''
      count++
    }
  }
  return { markdown, chunks: count, truncated: false }
}

const MORE = ' …\n'
/** A shorter part of a chunk is useless. */
const MIN_PART = 200

function entryOf(chunk: Chunk, repo: string | undefined): string {
  const place = [chunk.title, ...(chunk.headings ?? [])].filter(Boolean).join(' > ')
  const about = [place, chunk.repo === repo ? undefined : chunk.repo, spokenDate(chunk.createdAt)].filter(Boolean).join(', ')
  return `### ${about}\n\n${deepened(forPrompt(chunk))}`
}

/** Keeps headings of the content below those of the block. */
function deepened(content: string): string {
  let fence: string | undefined
  return content
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined
      return fence === undefined && !mark ? line.replace(/^ {0,3}#{1,6}(?=\s)/, '####') : line
    })
    .join('\n')
}
