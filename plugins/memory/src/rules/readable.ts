/** A text of which this share of letters is in another script than the model's says nothing to it. */
const MAX_OTHER = 0.5
const LETTERS = /\p{L}/gu
const LATIN = /\p{sc=Latin}/u
const MULTILINGUAL = /multilingual|bge-m3|labse|xlm|paraphrase-multi/i

/**
 * True if the model can read the text. A model of English gives texts in other scripts vectors that resemble anything, so that
 * both lists together were worse than words alone.
 */
export function isReadable(text: string, model: string): boolean {
  if (MULTILINGUAL.test(model)) return true
  const letters = text.slice(0, 2_000).match(LETTERS) ?? []
  return letters.length === 0 || letters.filter((one) => !LATIN.test(one)).length <= MAX_OTHER * letters.length
}
