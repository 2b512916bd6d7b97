/** A corpus whose best hit has few of the query's words still counts this much: it may have been found by its meaning. */
const MIN_LEVEL = 0.3

interface Hit {
  readonly score: number
  readonly title: string
  readonly text: string
}

/**
 * Merges lists of several corpora, whose scores do not compare. The best of each list is set to the largest share of the query's words that
 * one of its hits has, so that the best of a corpus that knows nothing does not stand beside a text that has all words. The best hit
 * of the answer has 1, and equals keep the order of the lists.
 */
export function blend<H extends Hit>(lists: readonly (readonly H[])[], shareOf: (text: string) => number, limit: number): H[] {
  const levelled = lists.flatMap((list) => {
    const best = Math.max(...list.map(({ score }) => score), Number.EPSILON)
    const level = Math.max(MIN_LEVEL, ...list.slice(0, limit).map(({ title, text }) => shareOf(`${title}\n${text}`)))
    return list.map((hit) => ({ ...hit, score: (level * hit.score) / best }))
  })
  const best = Math.max(...levelled.map(({ score }) => score), Number.EPSILON)
  const scaled = levelled.map((hit) => ({ ...hit, score: Math.round((1_000 * hit.score) / best) / 1_000 }))
  return scaled.sort((a, b) => b.score - a.score).slice(0, limit)
}
