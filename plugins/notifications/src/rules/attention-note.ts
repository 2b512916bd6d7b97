import type { AttentionItem } from '@gateway/sdk'
import type { Note } from '../schema.ts'
import type { Watched } from './attention.ts'

const MAX_LISTED = 10

export interface Told {
  readonly item: AttentionItem
  readonly state: Watched
}

export function noteOf(kind: string, due: readonly Told[]): Note {
  const level = due.some(({ item }) => item.tone === 'bad') ? 'error' : 'warning'
  const source = `attention.${kind}`
  const [first] = due
  if (due.length === 1 && first) {
    const { title, text } = first.item
    return { level, source, title, message: [...(text ? [text] : []), waits(first)].join('\n') }
  }
  const listed = due.slice(0, MAX_LISTED).map(({ item: { title } }) => title)
  const more = due.length > MAX_LISTED ? [`… and ${due.length - MAX_LISTED} more.`] : []
  return {
    level,
    source,
    title: `${due.length} items need attention: ${kind.replaceAll('-', ' ')}`,
    message: [...listed, ...more].join('\n'),
  }
}

const waits = ({ state: { since } }: Told): string => `It waits since ${since.slice(0, 16).replace('T', ' ')} UTC.`
