import { createHash } from 'node:crypto'
import { cutText } from '@gateway/sdk'
import { beginning, shares } from './fit.ts'

export const BOUNDARY = '<!-- cache boundary: what stands above changes seldom, what follows changes from boot to boot -->'

export interface Part {
  readonly title: string
  readonly text: string
}
export interface Placed {
  readonly title: string
  readonly place: 'stable' | 'volatile'
  /** Characters of its text in the bundle, and of the whole text. */
  readonly characters: number
  readonly of: number
  readonly truncated: boolean
}
export interface Bundle {
  readonly bundle: string
  /** Texts as the bundle has them, by title. */
  readonly texts: ReadonlyMap<string, string>
  readonly parts: readonly Placed[]
  /** Offset of the boundary; -1 when the budget has no room for it. */
  readonly boundary: number
  readonly stableSha256: string
}

/**
 * Share of the budget for text above the boundary. It does not depend on the text below, or the text above would change with it.
 */
const STABLE_SHARE = 0.45

/**
 * Renders one Markdown text of at most `budget` characters: the stable parts, the boundary, the volatile ones. Parts without text
 * are left out.
 */
export function render(heading: string, stable: readonly Part[], volatile: readonly Part[], budget: number): Bundle {
  const above = placed(stable, Math.floor(budget * STABLE_SHARE) - heading.length)
  const head = [heading, ...above.map(sectionOf)].join('\n\n')
  const room = budget - head.length - BOUNDARY.length - 2 * '\n\n'.length
  const below = placed(volatile, room)
  const bundle = cutText([head, BOUNDARY, ...below.map(sectionOf)].join('\n\n'), budget)
  return {
    bundle,
    texts: new Map([...above, ...below].map(({ title, shown }) => [title, shown])),
    parts: [...above.map((part) => view(part, 'stable')), ...below.map((part) => view(part, 'volatile'))],
    boundary: bundle.indexOf(BOUNDARY),
    stableSha256: createHash('sha256').update(head).digest('hex'),
  }
}

interface Shown extends Part {
  readonly shown: string
}
const sectionOf = ({ title, shown }: Shown): string => `## ${title}\n${shown}`
const frame = ({ title }: Part): number => sectionOf({ title, text: '', shown: '' }).length + '\n\n'.length

function placed(parts: readonly Part[], room: number): readonly Shown[] {
  const present = parts.filter(({ text }) => text.trim() !== '')
  const given = shares(
    room,
    present.map((part) => frame(part) + part.text.trim().length),
  )
  return present.flatMap((part, at) => {
    const shown = beginning(part.text, (given[at] ?? 0) - frame(part))
    return shown === '' ? [] : [{ ...part, shown }]
  })
}

function view({ title, text, shown }: Shown, place: Placed['place']): Placed {
  const of = text.trim().length
  return { title, place, characters: shown.length, of, truncated: shown.length < of }
}
