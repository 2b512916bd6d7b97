import type { Refs } from './refs.ts'
import { searchAtoms } from './search.ts'
import type { View } from './view.ts'

const CANDIDATES = 20

/** With `BRAIN_LOOKUP_EMBED=1`: returns the topic of the atoms nearest to a question, by the brain's search. */
export async function topicBySearch(refs: Refs, view: View, query: string, namespace: string | undefined): Promise<string | undefined> {
  if (!refs.config.lookupEmbed) return undefined
  const { hits } = await searchAtoms(refs, view, query, { namespace, candidates: CANDIDATES })
  const scores = new Map<string, number>()
  for (const { atom, score } of hits) scores.set(atom.topic, (scores.get(atom.topic) ?? 0) + score)
  return [...scores].sort((a, b) => b[1] - a[1])[0]?.[0]
}
