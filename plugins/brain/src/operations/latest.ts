import type { Found } from '@gateway/plugin-memory/api'
import { cutText } from '@gateway/sdk'
import { parseAtom } from '../rules/atom-file.ts'
import type { Refs } from './refs.ts'
import type { AtomHit, AtomQuery } from './search.ts'
import type { View } from './view.ts'

const MAX_TEXT = 60_000

/** Returns the newest atoms of a topic, without a question. An atom has a single topic, so no atom matches two. */
export async function latestAtoms(
  refs: Refs,
  { visible, repo }: Pick<View, 'visible' | 'repo'>,
  { namespace, topics = [], since }: AtomQuery,
  limit: number,
): Promise<Found<AtomHit>> {
  const [topic, ...more] = new Set(topics)
  if (topic === undefined || more.length > 0) return { mode: 'lexical', hits: [] }
  const where = {
    topic,
    ...(namespace !== undefined && { namespace: { in: [namespace, ''] } }),
    ...(since !== undefined && { at: { gte: since } }),
  }
  const pages = await Promise.all(visible.map((branch) => refs.atoms.find({ where: { ...where, branch }, sort: { seq: -1 }, limit })))
  const all = [...new Map(pages.flatMap(({ items }) => items).map((atom) => [atom.path, atom])).values()]
  const newest = all.sort((a, b) => b.seq - a.seq).slice(0, limit)
  const texts = await repo.blobs(
    newest.map(({ blob }) => blob),
    MAX_TEXT,
  )
  const hits = newest.map((atom, n): AtomHit => {
    const text = cutText(parseAtom(texts[n] ?? '').content, MAX_TEXT)
    return { atom, text, score: 0, foundBy: ['words'], arm: 'latest' }
  })
  return { mode: 'lexical', hits }
}
