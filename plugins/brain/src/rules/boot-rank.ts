import { DAY_MS } from '@gateway/sdk'

export interface RankedAtom {
  readonly kind: string
  readonly topic: string
  readonly title: string
  readonly excerpt: string
  readonly at: string
  readonly sha8: string
  readonly pinned: boolean
  readonly superseded: boolean
  readonly recalls: number
  readonly entities: readonly string[]
}

const HALF_LIFE_DAYS = 14
/** An old decision still stands, so age takes at most this share of a rank. */
const MIN_FRESHNESS = 0.2
const MAX_LINE = 320

/** Orders atoms by relevance and age: pinned ones, decisions, and those that were recalled often come first. */
export function rankForBoot<A extends RankedAtom>(atoms: readonly A[], now: Date): readonly A[] {
  const score = (atom: A): number => relevance(atom) * freshness(atom.at, now)
  return atoms
    .filter(({ superseded, pinned }) => !superseded || pinned)
    .map((atom) => ({ atom, rank: score(atom) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ atom }) => atom)
}

function relevance({ pinned, entities, title, excerpt, recalls }: RankedAtom): number {
  const decides = entities.some((key) => key.startsWith('decision:')) || /\b(decid|decision|because)/i.test(`${title} ${excerpt}`)
  return (pinned ? 3 : 1) * (decides ? 1.5 : 1) * (1 + Math.log1p(recalls) / 4)
}

function freshness(at: string, now: Date): number {
  const days = Math.max(0, (now.getTime() - Date.parse(at)) / DAY_MS)
  return Math.max(MIN_FRESHNESS, 2 ** (-days / HALF_LIFE_DAYS))
}

/** Renders one atom as a line: its day, id, title, and the beginning of its text, which has the reason. */
export function bootLine({ at, sha8, title, excerpt, pinned }: RankedAtom): string {
  const text = excerpt === '' || excerpt === title ? '' : `: ${excerpt.replace(/\s+/g, ' ')}`
  const line = `- ${at.slice(0, 10)} \`${sha8}\` ${title}${pinned ? ' [pinned]' : ''}${text}`
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1).trimEnd()}…` : line
}
