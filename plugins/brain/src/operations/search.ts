import { queryWords } from '../rules/query-words.ts'
import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

export interface AtomHit {
  readonly atom: AtomDoc
  /** 0 to 1: the best of an answer has 1. */
  readonly score: number
  /** How it was found: what the retrieval can prefer. */
  readonly arm: string
}

/** A replaced atom is still an answer, after those that stand; a pinned one is one more reason. */
const SUPERSEDED = 0.5
const PINNED = 1.15
const MOST_CANDIDATES = 1_000

/**
 * The seam to the text search: words of visible atoms, nearest first. Whoever has a better index changes this file.
 */
export async function searchAtoms(
  refs: Refs,
  { visible }: Pick<View, 'visible'>,
  query: string,
  options: { readonly namespace?: string | undefined; readonly candidates: number },
): Promise<readonly AtomHit[]> {
  const { namespace, candidates } = options
  const limit = Math.min(candidates, MOST_CANDIDATES)
  const found = await Promise.all(
    visible.map((branch) =>
      refs.texts.search({ text: queryWords(query), where: { branch, ...(namespace !== undefined && { namespace }) }, limit }),
    ),
  )
  const scores = new Map(found.flat().map(({ item, score }) => [item.atomId, score]))
  const atoms = await many(refs, [...scores.keys()])
  const best = Math.max(...scores.values(), Number.EPSILON)
  const hits = atoms.map((atom) => ({
    atom,
    score: ((scores.get(atom.atomId) ?? 0) / best) * (atom.superseded ? SUPERSEDED : 1) * (atom.pinned ? PINNED : 1),
    arm: 'words',
  }))
  return distinct(hits.sort((a, b) => b.score - a.score || (a.atom.at < b.atom.at ? 1 : -1)))
}

async function many(refs: Refs, ids: readonly string[]): Promise<readonly AtomDoc[]> {
  const pages: AtomDoc[] = []
  for (let at = 0; at < ids.length; at += 1_000) pages.push(...(await refs.atoms.getMany(ids.slice(at, at + 1_000))))
  return pages
}

/** Of an atom on two branches the nearer one. */
function distinct(hits: readonly AtomHit[]): readonly AtomHit[] {
  const seen = new Set<string>()
  return hits.filter(({ atom }) => !seen.has(atom.path) && seen.add(atom.path))
}
