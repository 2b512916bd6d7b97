/** Merges lists with incomparable scores: each is divided by its best, and equals keep the order of the lists. */
export function blend<Hit extends { readonly score: number }>(lists: readonly (readonly Hit[])[], limit: number): Hit[] {
  const scaled = lists.flatMap((list) => {
    const best = Math.max(...list.map(({ score }) => score), Number.EPSILON)
    return list.map((hit) => ({ ...hit, score: Math.round((1_000 * hit.score) / best) / 1_000 }))
  })
  return scaled.sort((a, b) => b.score - a.score).slice(0, limit)
}
