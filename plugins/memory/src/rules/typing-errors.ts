import { STOP_WORDS } from './stop-words.ts'
import { stemOfWord } from './words.ts'

const WORD = /[a-z]{6,16}/g
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const BESIDE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'a:eiousqwz b:vghn c:ksxdfv d:tserfcx e:aiouwsdr f:vdrtgc g:jftyhvb h:gyujbn i:aeouyjk j:ghuiknm k:cjiolm l:rkop m:njk',
    'n:mbhj o:aeiuklp p:bol q:kwas r:leftdg s:czawedx t:drfgy u:aeioyhj v:fwcgb w:vqase x:zsdc y:ietghu z:sasx',
  ].flatMap((line) => line.split(' ').map((entry) => entry.split(':') as [string, string])),
)
/** A shorter stem belongs to too many words. */
const MIN_STEM = 4
/** Words of a question that are corrected: the longest ones. */
const MAX_CORRECTED = 2
/** Stems to look up for one word: all of a word of twelve letters. */
const MAX_STEMS = 499

/** A word of a question, and the stems of the words that it may have been meant as. */
export interface Misspelt {
  /** Its own stem, which no text has. */
  readonly stem: string
  readonly meant: ReadonlySet<string>
}

/**
 * Words of a question that may be typing errors: of Latin letters, whose stem is among `unknown`. Short words are left out, because
 * they have too many neighbours.
 */
export function misspelt(question: string, unknown: ReadonlySet<string>): readonly Misspelt[] {
  const words = new Set((question.toLowerCase().match(WORD) ?? []).filter((word) => unknown.has(stemOfWord(word))))
  return [...words]
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_CORRECTED)
    .map((word) => ({ stem: stemOfWord(word), meant: stemsNear(word) }))
}

/** Letters that are typed or heard for the first one of a text: those beside it on a keyboard, and other vowels. */
const mistaken = (text: string): string => BESIDE[text[0] ?? ''] ?? ''

/** Stems of all words at one removal, swap, insertion or likely replacement from a word. Its first letter is taken as typed. */
function stemsNear(word: string): ReadonlySet<string> {
  const stems = new Set<string>()
  const own = stemOfWord(word)
  for (const near of wordsNear(word)) {
    const stem = stemOfWord(near)
    if (stem !== own && stem.length >= MIN_STEM && !STOP_WORDS.has(near)) stems.add(stem)
    if (stems.size >= MAX_STEMS) break
  }
  return stems
}

function* wordsNear(word: string): Iterable<string> {
  const splits = Array.from({ length: word.length }, (_, at) => [word.slice(0, at + 1), word.slice(at + 1)] as const)
  for (const [before, after] of splits) if (after !== '') yield before + after.slice(1)
  for (const [before, after] of splits) if (after.length > 1) yield before + after[1] + after[0] + after.slice(2)
  for (const [before, after] of splits) for (const letter of LETTERS) yield before + letter + after
  for (const [before, after] of splits) for (const letter of mistaken(after)) yield before + letter + after.slice(1)
}
