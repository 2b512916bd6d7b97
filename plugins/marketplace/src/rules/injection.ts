import { RE2JS } from 're2js'
import { INJECTION_PATTERNS, type InjectionPattern } from './injection-patterns.ts'
import { foldPattern, marksOf, wordsOf } from './normalize.ts'

/** Number of characters scanned at once: a few milliseconds of work. */
const STRETCH = 16_384
/**
 * Number of characters of each view that are kept for the next stretch, so that no phrase is cut in two: longer than any pattern.
 */
const TAIL = 1_024

type View = InjectionPattern['view']
const compiled = once(() =>
  INJECTION_PATTERNS.map(({ name, view, pattern, needs }) => {
    const compile = (source: string): RE2JS => RE2JS.compile(view === 'words' ? foldPattern(source) : source)
    return { name, view, regex: compile(pattern), needs: needs === undefined ? undefined : compile(needs) }
  }),
)

/** Yields the stretches of a text, cut between two characters. */
export function* stretchesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + STRETCH
    const next = /[\udc00-\udfff]/.test(text[end] ?? '') ? end + 1 : end
    yield text.slice(at, next)
    at = next
  }
}

/** Searches one text for the patterns, one stretch at a time. Time grows linearly with the text. */
export class InjectionScan {
  readonly #tails = { raw: '', marks: '', folded: '', dropped: '' }

  /** Returns the name of the first pattern that the text meets with this stretch. */
  next(stretch: string): string | undefined {
    const marks = marksOf(stretch)
    return (
      this.#look('raw', 'raw', stretch) ??
      this.#look('marks', 'marks', marks) ??
      this.#look('words', 'folded', wordsOf(marks, 'folded')) ??
      this.#look('words', 'dropped', wordsOf(marks, 'dropped'))
    )
  }

  #look(view: View, tail: 'raw' | 'marks' | 'folded' | 'dropped', added: string): string | undefined {
    const text = `${this.#tails[tail]}${added}`.replaceAll('  ', ' ')
    this.#tails[tail] = text.slice(-TAIL)
    return compiled().find((one) => one.view === view && (one.needs?.test(text) ?? true) && one.regex.test(text))?.name
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
