import { latinLetters, letterOfSign } from './look-alikes.ts'

/** Characters that show nothing: zero-width ones, soft hyphens, direction marks, variation selectors, controls; and accents on letters. */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]|(?!\s)\p{Cc}/gu
/** A whole alphabet in which text can hide without being drawn. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu
const TAG_OFFSET = 0xe0000

/** In lower case, look-alikes and styled letters plain, nothing unseen, each stretch of white space as one space. */
export function marksOf(text: string): string {
  const shown = text.replace(TAGS, (tag) => String.fromCodePoint((tag.codePointAt(0) as number) - TAG_OFFSET))
  // Before and after: of a styled letter Unicode knows the plain one, which may be one of another script.
  const plain = latinLetters(latinLetters(shown).normalize('NFKD').replace(UNSEEN, ''))
  return plain.toLowerCase().replace(/\s+/g, ' ')
}

/** Letters a to z alone: what is left of a text whatever stands between its letters. */
export function wordsOf(marks: string, signs: 'folded' | 'dropped'): string {
  const letters = signs === 'folded' ? marks : marks.replace(/[\x21-\x60\x7b-\x7e]/g, '')
  return letters.replace(/[^a-km-z ]/gu, (sign) => letterOfSign(sign) ?? '').replaceAll(' ', '')
}

/** A pattern over `words`, made to fit them. */
export const foldPattern = (pattern: string): string => pattern.replaceAll(' ', '').replaceAll('l', 'i')
