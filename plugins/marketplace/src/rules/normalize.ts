import { latinLetters, letterOfSign } from './look-alikes.ts'

/**
 * Invisible characters: zero-width ones, soft hyphens, direction marks, variation selectors, controls; and accents on letters.
 */
const UNSEEN = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]|(?!\s)\p{Cc}/gu
/** A whole alphabet in which text can hide without being drawn. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu
const TAG_OFFSET = 0xe0000

/**
 * Returns the text in lower case, look-alikes and styled letters plain, without invisible characters, each stretch of white space
 * as one space.
 */
export function marksOf(text: string): string {
  const shown = text.replace(TAGS, (tag) => String.fromCodePoint((tag.codePointAt(0) as number) - TAG_OFFSET))
  // Applied before and after: Unicode maps a styled letter to the plain one, which may belong to another script.
  const plain = latinLetters(latinLetters(shown).normalize('NFKD').replace(UNSEEN, ''))
  return plain.toLowerCase().replace(/\s+/g, ' ')
}

/** Returns only the letters a to z of a text, regardless of the characters between them. */
export function wordsOf(marks: string, signs: 'folded' | 'dropped'): string {
  const letters = signs === 'folded' ? marks : marks.replace(/[\x21-\x60\x7b-\x7e]/g, '')
  return letters.replace(/[^a-km-z ]/gu, (sign) => letterOfSign(sign) ?? '').replaceAll(' ', '')
}

/** Converts a pattern over `words` to the form of these. */
export const foldPattern = (pattern: string): string => pattern.replaceAll(' ', '').replaceAll('l', 'i')
