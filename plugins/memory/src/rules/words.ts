import { BoundedMap } from '@gateway/sdk/bounds'
import { stemmer } from 'stemmer'
import { spokenDate } from './dates.ts'
import { foldLetters, isReplaced, unaccented, visible } from './fold.ts'
import { withoutPrefixes } from './prefixes.ts'
import { STOP_WORDS } from './stop-words.ts'
import { ALL_HANGUL, ALL_UNSPACED, HANGUL, indexUnspaced, nounWithin, phraseUnspaced, queryUnspaced, UNSPACED } from './unspaced.ts'

/** Runs of letters and digits, including the characters that join the parts of an identifier, a path or an address. */
const RUN = /[\p{L}\p{N}\p{M}]+(?:[-_.:/@#+&'’][\p{L}\p{N}\p{M}]+)*/gu
const PART = /[\p{L}\p{N}\p{M}]+/gu
const JOINING = /[^\p{L}\p{N}\p{M}]+/gu
/** Boundaries in `fooBar`, `HTTPServer`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
/** Matches most words. */
const PLAIN = /^[A-Za-z]?[a-z]{1,40}$/
const LATIN = /^[a-z]+$/
/** Cuts a word that mixes ASCII with another script. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const SCRIPTS = /[\x00-\x7f]+|[^\x00-\x7f]+/g
/** A longer run is data. */
const MAX_WORD = 64
/** Maximum candidates of a long question: the store knows how rare each is and searches for the rarest. */
const MAX_QUERY_WORDS = 256
/** A text that has this number of words of a phrase has the others too. */
const MAX_MUST = 8
/** Capacity of the stem cache: words recur, and stemming one costs more than looking it up. */
const MAX_STEMS = 20_000
const stems = new BoundedMap<string, string>(MAX_STEMS)

/** Version of these rules. Raising it prepares the words of all stored records again, see jobs/prepare-words.ts. */
export const WORDS_VERSION = 2

/** Rules for scripts whose words are not separated by spaces. */
interface Cutting {
  readonly unspaced: (run: string) => readonly string[]
  readonly hangul: (word: string) => readonly string[]
  /** Adds the word without its prefixes, and its original form where folding replaced letters. */
  readonly hasVariants: boolean
}
const INDEX: Cutting = { unspaced: indexUnspaced, hangul: (word) => [...cut(word), ...indexUnspaced(word)], hasVariants: true }
const QUERY: Cutting = { unspaced: queryUnspaced, hangul: (word) => [...cut(word), ...nounWithin(word)], hasVariants: true }
/** Gives only words that every text with the phrase has. */
const PHRASE: Cutting = { unspaced: phraseUnspaced, hangul: phraseUnspaced, hasVariants: false }

/**
 * Returns the words of a text as they are indexed, in order: stemmed, folded, identifiers whole and in parts, days also in spoken
 * form.
 */
export function indexWords(text: string): string {
  const words: string[] = []
  const seen = visible(text)
  for (const run of foldLetters(seen).match(RUN) ?? []) for (const word of wordsOfRun(run, INDEX)) words.push(word)
  return [...words, ...asWritten(seen)].join(' ')
}

/** Returns the distinct words of a question; without stop words, if others are left. */
export function queryWords(text: string): readonly string[] {
  return ends(tellingWords(text, QUERY), MAX_QUERY_WORDS)
}

/** Returns the words of a phrase, or the parts of an identifier, that any longer text containing it also has. */
export function wordsWithin(part: string): readonly string[] {
  return tellingWords(part.replace(JOINING, ' '), PHRASE).slice(0, MAX_MUST)
}

function tellingWords(text: string, cutting: Cutting): readonly string[] {
  const telling: string[] = []
  const all: string[] = []
  const seen = visible(text)
  for (const { 0: run, index } of foldLetters(seen).matchAll(RUN)) {
    const words = wordsOfRun(run, cutting)
    all.push(...words)
    const said = run.toLowerCase().split(/['’]/)[0] as string
    const isMonth = run === 'May' && index > 0
    if (isMonth || !STOP_WORDS.has(said)) telling.push(...words.filter((word) => !STOP_WORDS.has(word)))
  }
  const written = cutting.hasVariants ? asWritten(seen) : []
  return [...new Set([...(telling.length > 0 ? telling : all), ...written])]
}

/** Keeps both ends of a long list, because a prompt begins with its subject and ends with its question. */
function ends(words: readonly string[], max: number): readonly string[] {
  return words.length <= max ? words : [...words.slice(0, max / 2), ...words.slice(-max / 2)]
}

/** The letters of the run are already folded. */
function wordsOfRun(run: string, cutting: Cutting): readonly string[] {
  if (PLAIN.test(run)) return cut(stemOf(run.toLowerCase()))
  if (ALL_UNSPACED.test(run)) return cutting.unspaced(run)
  if (ALL_HANGUL.test(run)) return cutting.hangul(run)
  const words: string[] = []
  const parts = run.match(PART) as readonly string[]
  for (const part of parts) {
    const humps = part.split(HUMP)
    if (humps.length > 1) for (const hump of humps) words.push(...wordsOf(hump, cutting))
    words.push(...wordsOf(part, cutting))
  }
  // The whole becomes one word of its letters: text joined by a colon or a slash is found by `tasks_claim` and by its parts.
  const isPossessive = parts.length === 2 && (parts[1] as string).length <= 2 && /['’]/.test(run)
  if (parts.length > 1 && !isPossessive) words.push(...cut(parts.join('').toLowerCase()))
  // `2023-05-08` is found by the 8th of May.
  for (const spoken of spokenDate(run).split(' ')) words.push(...wordsOf(spoken, cutting))
  return words
}

function wordsOf(part: string, cutting: Cutting): readonly string[] {
  const lower = part.toLowerCase()
  if (LATIN.test(lower)) return cut(stemOf(lower))
  return [
    ...withoutUnspaced(lower).flatMap((word) => spacedWords(word, cutting)),
    ...(lower.match(UNSPACED) ?? []).flatMap(cutting.unspaced),
  ]
}

function spacedWords(word: string, cutting: Cutting): readonly string[] {
  if (LATIN.test(word)) return cut(stemOf(word))
  const whole = cutting.hasVariants ? cut(word) : []
  // Mixed: `API를`, `الAPI`.
  const pieces = word.match(SCRIPTS) ?? []
  if (pieces.length > 1) return [...whole, ...pieces.flatMap((piece) => spacedWords(piece, cutting))]
  const korean = word.match(HANGUL)
  if (korean) return [...whole, ...korean.flatMap(cutting.hangul)]
  return [word, ...(cutting.hasVariants ? withoutPrefixes(word) : [])].flatMap(cut)
}

/**
 * Returns words whose letters folding replaces, with only accents dropped: earlier versions indexed them so, and they match
 * their like more closely.
 */
function asWritten(text: string): readonly string[] {
  if (!isReplaced(text)) return []
  const words = (text.match(RUN) ?? []).filter(isReplaced).flatMap((run) => unaccented(run).match(PART) ?? [])
  return words.flatMap((word) => [...withoutUnspaced(word).flatMap(cut), ...(word.match(UNSPACED) ?? []).flatMap(phraseUnspaced)])
}

function withoutUnspaced(text: string): readonly string[] {
  return text.replace(UNSPACED, ' ').split(' ').filter(Boolean)
}

/** Stem of a plain word in lower case, as texts are indexed. It is not kept: words that nobody wrote would fill the cache. */
export const stemOfWord = (word: string): string => stemmer(word)

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = stemmer(word.slice(0, MAX_WORD))
  stems.set(word, stem)
  return stem
}

const cut = (word: string): readonly string[] => (word === '' ? [] : [word.slice(0, MAX_WORD)])
