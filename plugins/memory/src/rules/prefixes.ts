/** Arabic and Hebrew write conjunctions, prepositions and the article onto the word, in this order. */
const STAGES = [
  { script: /^\p{sc=Arabic}/u, stages: [/^[وف]/u, /^[بكلس]/u, /^(?:ال|ل)/u] },
  { script: /^\p{sc=Hebrew}/u, stages: [/^ו/u, /^(?:[כמ]?ש)/u, /^[בכלמ]/u, /^ה/u] },
] as const
/** A shorter rest is not a word. */
const MIN_REST = 2

/** Returns the word without its first prefix, without its first two, and so on. Empty for other scripts. */
export function withoutPrefixes(word: string): readonly string[] {
  const rests: string[] = []
  let rest = word
  for (const stage of STAGES.find(({ script }) => script.test(word))?.stages ?? []) {
    const next = rest.replace(stage, '')
    if (next === rest || next.length < MIN_REST) continue
    rest = next
    rests.push(rest)
  }
  return rests
}
