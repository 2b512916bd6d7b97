/** Returns the topic that a question means: the one with the most words named in it; among equals the first. */
export function matchTopic(query: string, topics: readonly string[]): string | undefined {
  const asked = new Set(words(query))
  const scored = topics.map((topic) => {
    const own = words(topic)
    return { topic, score: own.filter((word) => asked.has(word)).length / Math.max(own.length, 1) }
  })
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { topic: '', score: 0 })
  return best.score >= 0.5 ? best.topic : undefined
}

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
