import type { AttentionItem } from '@gateway/sdk'
import type { Note } from '../schema.ts'
import type { Watched } from './attention.ts'

const MAX_LISTED = 10

export interface Told {
  readonly item: AttentionItem
  readonly state: Watched
}

/** An alert about the items of a kind that are told now. */
export function noteOf(kind: string, told: readonly Told[]): Note {
  const level = told.some(({ item }) => item.tone === 'bad') ? 'error' : 'warning'
  const source = `attention.${kind}`
  const [first] = told
  if (told.length === 1 && first) {
    const { title, text } = first.item
    return { level, source, title, message: [...(text ? [text] : []), waits(first)].join('\n') }
  }
  const listed = told.slice(0, MAX_LISTED).map(({ item: { title } }) => title)
  const more = told.length > MAX_LISTED ? [`… and ${told.length - MAX_LISTED} more.`] : []
  return {
    level,
    source,
    title: `${told.length} items need attention: ${kind.replaceAll('-', ' ')}`,
    message: [...listed, ...more].join('\n'),
  }
}

const waits = ({ state: { since } }: Told): string => `It waits since ${since.slice(0, 16).replace('T', ' ')} UTC.`
