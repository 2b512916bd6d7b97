export interface Sentence {
  readonly start: number
  readonly end: number
  /** Words of the sentence without the marks of its line, with single spaces. */
  readonly words: string
}

const LINE = /[^\n]+/g
/** Keeps the gaps between the sentences. */
const ENDS = /((?<=[.!?])\s+|(?<=[。！？]))/
const MARKS = /^(?:[\s>#*+-]|\d+[.)]\s)+/
const HAS_WORDS = /[\p{L}\p{N}]/u

/** A longer sentence may be cut between any of its words. */
const MAX_SENTENCE = 300
/** Number of words of which, on average, one ends a clause. */
const WORDS_PER_CLAUSE = 8

/** Divides a long sentence at words that are chosen by their letters: a part of it has the same clauses, wherever it was cut. */
function clausesOf(sentence: string | undefined): readonly string[] {
  if (sentence === undefined) return []
  if (sentence.length <= MAX_SENTENCE) return [sentence]
  const clauses: string[] = []
  let clause = ''
  for (const part of sentence.split(/(?<=\s)(?=\S)/)) {
    clause += part
    if (!endsClause(part)) continue
    clauses.push(clause)
    clause = ''
  }
  return clause === '' ? clauses : [...clauses, clause]
}

function endsClause(word: string): boolean {
  let sum = 0
  for (const letter of word.trim()) sum += letter.codePointAt(0) as number
  return sum % WORDS_PER_CLAUSE === 0
}

/** Returns the sentences of a text, or its lines where they are shorter. The places at which a long text is cut lie between them. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const lead = MARKS.exec(line)?.[0].length ?? 0
    let start = index + lead
    for (const part of line.slice(lead).split(ENDS).flatMap(clausesOf)) {
      const words = part.trim().replace(/\s+/g, ' ')
      if (HAS_WORDS.test(words)) sentences.push({ start, end: start + part.trimEnd().length, words })
      start += part.length
    }
  }
  return sentences
}

/** A shorter run of sentences says nothing of its own, such as `Done.`, and stays in other texts. */
export const MIN_CHARACTERS = 24

export interface Run {
  readonly from: number
  readonly to: number
  readonly words: string
}

/**
 * Returns the shortest telling runs that begin at each sentence, and those that end at a short one: a long sentence stands for
 * itself, a short one together with its neighbours.
 */
export function runsOf(sentences: readonly Sentence[]): readonly Run[] {
  const runs: Run[] = []
  for (const [at, { words }] of sentences.entries())
    for (const step of words.length < MIN_CHARACTERS ? [1, -1] : [1]) {
      let length = words.length
      let end = at
      while (length < MIN_CHARACTERS && sentences[end + step]) {
        end += step
        length += (sentences[end] as Sentence).words.length + 1
      }
      if (length < MIN_CHARACTERS) continue
      const [from, to] = [Math.min(at, end), Math.max(at, end)]
      const run = sentences.slice(from, to + 1).map((one) => one.words)
      runs.push({ from, to, words: run.join(' ') })
    }
  return runs
}
