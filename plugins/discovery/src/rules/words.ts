/** Words that occur in nearly every question and do not distinguish tools. */
const EMPTY = new Set(
  `a about after again all am an and any are as at be been before being but by can could did do does doing done for from get gets give
  gives go had has have he her him his how i if in into is it its just let like make makes me my need now of off on one onto or other
  our out over please she should show shows so some something somebody than that the their them then there these they thing things
  this those to too tool tools up us use used uses using very want was we were what when where whether which while who whoever why
  will with would you your return returns`.split(/\s+/),
)

const QUESTION_OPENERS = new Set(
  `are can check compare count did do does explain find get has how is list look read search show view was were what when where which
  who whose why`.split(/\s+/),
)

/** Returns the words of a text in comparable form: names split, lower case, without endings and empty words. */
export function words(text: string): string[] {
  const parts =
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return parts.filter((word) => !EMPTY.has(word)).map(stem)
}

export function isQuestion(text: string): boolean {
  return QUESTION_OPENERS.has(/[a-z]+/.exec(text.toLowerCase())?.[0] ?? '')
}

/**
 * Returns a word without the endings of English grammar, so that *leases*, *leased* and *leasing* match. The stem need not be a
 * word; it must only be the same for the forms of one word, and mostly differ between words.
 */
export function stem(word: string): string {
  return word.length <= 3 ? word : withoutVowel(withoutSuffix(singular(word)))
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

/** Words that only look as if they had an ending. */
const WHOLE = new Set(['embed', 'evening', 'morning', 'speed', 'string'])

function withoutSuffix(word: string): string {
  const root = WHOLE.has(word) ? undefined : /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1]
  if (root === undefined || root.length < 3) return word
  // "stopped" was "stop", but "called" was "call".
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}

/** A silent e comes and goes with other endings; y and i alternate. */
function withoutVowel(word: string): string {
  if (word.length <= 3) return word
  return word.endsWith('e') ? word.slice(0, -1) : word.replace(/y$/, 'i')
}
