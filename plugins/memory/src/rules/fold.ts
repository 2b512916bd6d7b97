// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/
/** Soft hyphens, zero-width spaces and joiners, direction and variation marks, byte order marks; and the dash that stretches an Arabic word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gu
/** Letters and wide characters that are written like an apostrophe. */
const APOSTROPHES = /[\u02bb\u02bc\u2018\uff07]/g
/** Accents of Latin, Greek and Cyrillic letters. */
const MARKS = /[\u0300-\u036f]/g
/** Vowel points of Hebrew and Arabic, which most texts omit, and the marks that tell forms of the Arabic alef apart. */
const POINTS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g

/** Letters that Unicode does not decompose, mapped to the letters that people type instead. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  ...spread('ae', 'æ'),
  ...spread('oe', 'œ'),
  ...spread('th', 'þ'),
  ...spread('a', 'ɐɑ'),
  ...spread('b', 'ƀɓƃ'),
  ...spread('c', 'ƈȼ'),
  ...spread('d', 'đðɖɗƌ'),
  ...spread('e', 'əɛǝɇ'),
  ...spread('f', 'ƒ'),
  ...spread('g', 'ǥɠɡ'),
  ...spread('h', 'ħɦⱨ'),
  ...spread('i', 'ıɨɩ'),
  ...spread('j', 'ɉȷ'),
  ...spread('k', 'ĸƙⱪ'),
  ...spread('l', 'łƚɫⱡ'),
  ...spread('n', 'ŋɲƞ'),
  ...spread('o', 'øɔɵ'),
  ...spread('p', 'ƥ'),
  ...spread('q', 'ɋ'),
  ...spread('r', 'ɍɽ'),
  ...spread('t', 'ŧƭʈⱦ'),
  ...spread('u', 'ʉʊ'),
  ...spread('v', 'ʋ'),
  ...spread('y', 'ƴɏ'),
  ...spread('z', 'ƶȥⱬ'),
  // Greek writes another sigma at the end of a word; Persian and Urdu have code points of their own for letters that Arabic has too.
  ς: 'σ',
  Σ: 'σ',
  ...spread('ي', 'ىی'),
  ...spread('ك', 'ک'),
  ...spread('ه', 'ةہە'),
}
const REPLACED = `[${Object.keys(LETTERS).join('')}]|(?![0-9])\\p{Nd}`
const UNDECOMPOSED = new RegExp(REPLACED, 'gu')
const CHANGED = new RegExp(`${REPLACED}|${POINTS.source}`, 'u')

/** The text in composed form, without characters that have no glyph. */
export function visible(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, "'")
}

/** Drops accents and vowel points, and replaces letters and digits by their plain equivalents (`ß` by `ss`). Keeps the case. */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text
  const plain = visible(text).normalize('NFKD').replace(MARKS, '').replace(POINTS, '').normalize('NFC')
  return plain.replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? digitOf(letter))
}

export function fold(text: string): string {
  return foldLetters(text).toLowerCase()
}

/** Tells whether folding does more to the word than to drop its accents. */
export function isReplaced(word: string): boolean {
  return CHANGED.test(word)
}

/** Lower case without accents, the other letters as they are written. */
export function unaccented(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase()
}

function spread(to: string, letters: string): Readonly<Record<string, string>> {
  const capital = `${to[0]?.toUpperCase()}${to.slice(1)}`
  const both = [...letters].flatMap((letter) => [
    [letter.toUpperCase(), capital],
    [letter, to],
  ])
  return Object.fromEntries(both.filter(([letter = '']) => letter.length === 1 && letter > '\x7f'))
}

/** Unicode keeps the ten digits of a script in a row, zero first, and rows only next to other rows. */
function digitOf(letter: string): string {
  const code = letter.codePointAt(0) as number
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}
