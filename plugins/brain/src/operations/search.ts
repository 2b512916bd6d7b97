import type { Found, FoundBy } from '@gateway/plugin-memory/api'
import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'
import { PAST_SESSION, visibleTags, wordsOf } from './words.ts'

export interface AtomHit {
  readonly atom: AtomDoc
  /** The indexed part of its content. */
  readonly text: string
  /** Score from 0 to 1; the best of an answer has 1. */
  readonly score: number
  readonly foundBy: readonly FoundBy[]
  /** The retrieval arm that found it and can be preferred. */
  readonly arm: string
}
export interface AtomQuery {
  /** Atoms of this repo and of all repos. */
  readonly namespace?: string | undefined
  /** Only atoms about past sessions. */
  readonly sessions?: boolean | undefined
  readonly topics?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly candidates: number
}

/** Weight of a replaced atom: it ranks after current ones. A pinned atom ranks higher. */
const SUPERSEDED = 0.5
const PINNED = 1.15
const MAX_CANDIDATES = 1_000

/** Searches visible atoms by words and by meaning, nearest first: found by the shared index, ranked by the brain's own data. */
export async function searchAtoms(
  refs: Refs,
  { visible }: Pick<View, 'visible'>,
  query: string,
  { namespace, topics = [], sessions, since, candidates }: AtomQuery,
): Promise<Found<AtomHit>> {
  const { hits: found, ...how } = await wordsOf(refs).search({
    query,
    tags: [...topics, ...(sessions ? [PAST_SESSION] : [])],
    anyTag: visibleTags(visible, namespace),
    since,
    limit: Math.min(candidates, MAX_CANDIDATES),
  })
  const atoms = new Map((await refs.atoms.getMany(found.map(({ id }) => id))).map((atom) => [atom.atomId, atom]))
  const best = Math.max(...found.map(({ score }) => score), Number.EPSILON)
  const hits = found.flatMap(({ id, text, score, foundBy }): AtomHit[] => {
    const atom = atoms.get(id)
    if (!atom) return []
    const weight = (atom.superseded ? SUPERSEDED : 1) * pinWeight(atom)
    return [{ atom, text, score: (score / best) * weight, foundBy, arm: armOf(foundBy) }]
  })
  return { ...how, hits: distinct(hits.sort((a, b) => b.score - a.score || (a.atom.at < b.atom.at ? 1 : -1))) }
}

export const pinWeight = ({ pinned }: Pick<AtomDoc, 'pinned'>): number => (pinned ? PINNED : 1)

const armOf = (foundBy: readonly FoundBy[]): string => {
  if (!foundBy.includes('vectors')) return 'words'
  return foundBy.includes('words') ? 'words and vectors' : 'vectors'
}

/** Keeps the nearer hit of an atom on two branches. */
function distinct(hits: readonly AtomHit[]): readonly AtomHit[] {
  const seen = new Set<string>()
  return hits.filter(({ atom }) => !seen.has(atom.path) && seen.add(atom.path))
}
