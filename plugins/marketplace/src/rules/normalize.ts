/** Letters of other scripts, digits and signs that are drawn like Latin letters, by the letter they pass for. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑ@4ᴀ',
  b: 'ьвβʙ',
  c: 'сϲᴄ¢',
  d: 'ԁɗᴅ',
  e: 'еεҽ3ᴇ€',
  f: 'ғϝꜰ',
  g: 'ɡցɢ',
  h: 'һнհʜ',
  // A capital I, a small l, a 1 and a stroke look the same: all of them are an i here.
  i: 'іιɩıl1|!ӏɪ',
  j: 'јʝᴊ',
  k: 'кκᴋ',
  m: 'мᴍ',
  n: 'ոпηɴ',
  o: 'оοσօ0ᴏø',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀ',
  s: 'ѕʂ5$ꜱ',
  t: 'тτ7ᴛ',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ԝшωᴡ',
  x: 'хχ×',
  y: 'уүγʏ',
  z: 'ʐᴢ',
}
const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, signs]) => [...signs].map((sign) => [sign, latin] as const)))

/** Characters that show nothing: zero-width ones, soft hyphens, direction marks, variation selectors; and accents on letters. */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/gu
/** A whole alphabet in which text can hide without being drawn. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu
const TAG_OFFSET = 0xe0000

/** In lower case, styled letters plain, nothing unseen, each stretch of white space as one space. */
export function marksOf(text: string): string {
  return text
    .replace(TAGS, (tag) => String.fromCodePoint((tag.codePointAt(0) as number) - TAG_OFFSET))
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
}

/** Letters a to z alone: what is left of a text whatever stands between its letters. */
export function wordsOf(marks: string, signs: 'folded' | 'dropped'): string {
  const letters = signs === 'folded' ? marks : marks.replace(/[\x21-\x60\x7b-\x7e]/g, '')
  return letters.replace(/[^a-km-z ]/gu, (sign) => LATIN.get(sign) ?? '').replaceAll(' ', '')
}

/** A pattern over `words`, made to fit them. */
export const foldPattern = (pattern: string): string => pattern.replaceAll(' ', '').replaceAll('l', 'i')
