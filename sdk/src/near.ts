/**
 * Returns the nearness of a text to a query, from 0 to 1: 0 if a word of the query is nowhere in it, not even with a typing error. A word
 * that begins a word of the text counts more than one inside of it, and an exact one most.
 */
export function nearness(query: string, text: string): number {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return 0
  const present = wordsOf(text)
  let sum = 0
  for (const word of wanted) {
    let best = 0
    for (const candidate of present) best = Math.max(best, wordNearness(word, candidate))
    if (best === 0) return 0
    sum += best
  }
  // The shorter one of two texts with the same words is nearer.
  return (sum / wanted.length) * (0.9 + 0.1 / Math.max(1, present.length - wanted.length + 1))
}

/** Items near a query, the nearest first; items of the same nearness keep their order. */
export function nearest<Item>(query: string, items: readonly Item[], textOf: (item: Item) => string, limit: number): Item[] {
  return items
    .map((item) => ({ item, near: nearness(query, textOf(item)) }))
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .slice(0, limit)
    .map(({ item }) => item)
}

/** Longer texts are compared by their beginning. */
const MAX_TEXT = 500

const wordsOf = (text: string): string[] =>
  text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function wordNearness(word: string, candidate: string): number {
  if (word === candidate) return 1
  if (candidate.startsWith(word)) return 0.85
  if (word.length >= 3 && candidate.includes(word)) return 0.6
  // Short words have too many neighbours.
  const typos = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0
  if (typos === 0 || candidate.length < word.length - typos) return 0
  // A word that is still being typed is compared with the beginning of the candidate.
  const start = candidate.slice(0, word.length + typos)
  return differsBy(word, candidate, typos) || differsBy(word, start.slice(0, word.length), typos) ? 0.4 : 0
}

/** True if one text becomes the other by at most `most` insertions, removals, replacements, or swaps of neighbours. */
function differsBy(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > most) return false
    before = row
    row = next
  }
  return (row[b.length] ?? 0) <= most
}
