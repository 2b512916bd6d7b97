import { BoundedMap } from '@gateway/sdk/bounds'
import { stemmer } from 'stemmer'
import { spokenDate } from './dates.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Runs of letters and digits, held together by what joins the parts of an identifier, a path or an address. */
const RUN = /[\p{L}\p{N}\p{M}]+(?:[-_.:/@#+&'’][\p{L}\p{N}\p{M}]+)*/gu
const PART = /[\p{L}\p{N}\p{M}]+/gu
const JOINING = /[^\p{L}\p{N}\p{M}]+/gu
/** `fooBar`, `HTTPServer`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
/** Scripts that put no space between words: there two characters in a row stand for a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** Most words. */
const PLAIN = /^[a-z]{1,40}$/
const LATIN = /^[a-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/
const MARKS = /[\u0300-\u036f]/g
/** What is longer is data. */
const MAX_WORD = 64
const MAX_QUERY_WORDS = 32
/** A text that has so many words of a phrase has the others too. */
const MAX_MUST = 8
/** Words come again and again, and stemming one costs more than looking it up. */
const MAX_STEMS = 20_000
const stems = new BoundedMap<string, string>(MAX_STEMS)

/** The words of a text as they are indexed, in their order: stemmed, folded, identifiers whole and in parts, days also as they are spoken. */
export function indexWords(text: string): string {
  const words: string[] = []
  for (const run of text.matchAll(RUN)) words.push(...wordsOfRun(run[0]))
  return words.join(' ')
}

/** The words of a question, each once; without those that say nothing, if others are left. */
export function queryWords(text: string): readonly string[] {
  const telling: string[] = []
  const all: string[] = []
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const words = wordsOfRun(run)
    all.push(...words)
    const said = fold(run).split(/['’]/)[0] as string
    const isMonth = run === 'May' && index > 0
    if (isMonth || !STOP_WORDS.has(said)) telling.push(...words.filter((word) => !STOP_WORDS.has(word)))
  }
  return [...new Set(telling.length > 0 ? telling : all)].slice(0, MAX_QUERY_WORDS)
}

/** The words of a phrase, or the parts of an identifier: whatever holds it as a piece of something longer has them too. */
export function wordsWithin(part: string): readonly string[] {
  return queryWords(part.replace(JOINING, ' ')).slice(0, MAX_MUST)
}

function wordsOfRun(run: string): readonly string[] {
  const words: string[] = []
  if (PLAIN.test(run)) return cut(stemOf(run))
  const parts = run.match(PART) as readonly string[]
  for (const part of parts) {
    const humps = part.split(HUMP)
    if (humps.length > 1) for (const hump of humps) words.push(...wordsOf(hump))
    words.push(...wordsOf(part))
  }
  // Whole, as one word of its letters: what a colon or a slash joins is found by `tasks_claim` as by its parts.
  const isPossessive = parts.length === 2 && (parts[1] as string).length <= 2 && /['’]/.test(run)
  if (parts.length > 1 && !isPossessive) words.push(...cut(fold(parts.join(''))))
  // `2023-05-08` is found by the 8th of May.
  for (const spoken of spokenDate(run).split(' ')) words.push(...wordsOf(spoken))
  return words
}

function wordsOf(part: string): readonly string[] {
  const folded = fold(part)
  if (LATIN.test(folded)) return cut(stemOf(folded))
  if (ASCII.test(folded)) return cut(folded)
  const unspaced = [...folded.matchAll(UNSPACED)].flatMap(([run]) => pairs(run))
  const rest = folded.replace(UNSPACED, ' ').split(' ').filter(Boolean)
  return [...rest.flatMap(cut), ...unspaced]
}

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = stemmer(word.slice(0, MAX_WORD))
  stems.set(word, stem)
  return stem
}

function pairs(run: string): readonly string[] {
  const characters = [...run]
  return characters.length === 1 ? characters : characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

/** Marks of Latin, Greek and Cyrillic letters go; in other scripts they are part of the letter. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase()
}

const cut = (word: string): readonly string[] => (word === '' ? [] : [word.slice(0, MAX_WORD)])
