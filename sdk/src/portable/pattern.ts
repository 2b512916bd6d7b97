/** These facts tell how engines other than JavaScript’s treat a pattern. */
export interface PatternFacts {
  /** The fault completes a sentence that begins with the pattern; absent when every engine accepts it. */
  readonly fault?: string
  /** An open pattern matches texts of any length: it has an unbounded repetition, or is not anchored at both ends. */
  readonly isOpen: boolean
}

/** RE2 refuses larger repetition counts; counts of nested repetitions multiply. */
const MAX_REPEAT = 1_000
const MAX_KEPT = 1_000
const known = new Map<string, PatternFacts>()

/**
 * Checks a pattern against the subset that JavaScript, Python’s `re`, Rust’s `regex`, RE2 and constrained decoding share: characters,
 * classes, unnamed groups, alternatives and repetitions. At least one of them lacks look-around, back-references, `[^]`, word
 * boundaries, and escapes such as `\u0000` and `\p{L}`.
 */
export function readPattern(pattern: string): PatternFacts {
  let facts = known.get(pattern)
  if (facts === undefined) {
    facts = read(pattern)
    if (known.size < MAX_KEPT) known.set(pattern, facts)
  }
  return facts
}

function read(pattern: string): PatternFacts {
  try {
    new RegExp(pattern, 'u')
    return { isOpen: new Reader(pattern).isOpen() }
  } catch (error) {
    if (error instanceof NotPortable) return { fault: error.message, isOpen: true }
    return { fault: 'is not a regular expression', isOpen: true }
  }
}

class NotPortable extends Error {}

const GROUP_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^\?(?:<?[=!])/, 'has look-around, which RE2, Rust and model servers lack'],
  [/^\?</, 'has a named group, which Python writes differently'],
  [/^\?(?!:)/, 'has a group that begins with (? and is not (?:…)'],
]
const SHARED_ESCAPE = /^(?:[dDwWsStnrvf^$\\.*+?()[\]{}|/-]|x[0-9a-fA-F]{2})/
const SET_OPERATION = /^(?:--|&&|~~|\|\|)/

/** The reader relies on `new RegExp` having found the pattern well formed. */
class Reader {
  readonly #text: string
  #at = 0
  #isOpen = false

  constructor(pattern: string) {
    this.#text = pattern
  }

  isOpen(): boolean {
    const isAnchored = this.#text.startsWith('^') && /(?:^|[^\\])(?:\\\\)*\$$/.test(this.#text)
    if (this.#text.startsWith('^')) this.#at++
    this.#alternatives(true)
    return this.#isOpen || !isAnchored
  }

  /** Returns the largest repetition count within. */
  #alternatives(isOutermost = false): number {
    let most = 1
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      if (this.#text[this.#at] === '|') {
        // The anchors belong to the first and the last alternative only.
        if (isOutermost) this.#isOpen = true
        this.#at++
      } else if (isOutermost && this.#text[this.#at] === '$' && this.#at === this.#text.length - 1) this.#at++
      else most = Math.max(most, this.#part())
    }
    return most
  }

  #part(): number {
    const repeats = this.#one() * this.#count()
    if (repeats > MAX_REPEAT) throw new NotPortable(`repeats something more than ${MAX_REPEAT} times, which RE2 refuses`)
    return repeats
  }

  #one(): number {
    const char = this.#text[this.#at++] as string
    if (char === '^' || char === '$') throw new NotPortable('has an anchor that is not at its beginning or end')
    if (char === '\\') this.#escape()
    if (char === '[') this.#class()
    if (char !== '(') return 1
    const rest = this.#text.slice(this.#at)
    const fault = GROUP_FAULTS.find(([begin]) => begin.test(rest))
    if (fault) throw new NotPortable(fault[1])
    if (rest.startsWith('?:')) this.#at += 2
    const repeats = this.#alternatives()
    this.#at++
    return repeats
  }

  #escape(): void {
    const rest = this.#text.slice(this.#at)
    const shared = SHARED_ESCAPE.exec(rest)
    if (shared) this.#at += shared[0].length
    else if (/^[1-9k]/.test(rest)) throw new NotPortable('has a back-reference, which RE2, Rust and model servers lack')
    else if (/^[bB]/.test(rest)) throw new NotPortable('has a word boundary, which model servers lack')
    else throw new NotPortable(`has the escape \\${rest.slice(0, 1)}, which some engines lack`)
  }

  #class(): void {
    if (this.#text[this.#at] === '^') this.#at++
    if (this.#text[this.#at] === ']') throw new NotPortable('has an empty class such as [^], which only JavaScript accepts')
    while (this.#text[this.#at] !== ']') {
      const rest = this.#text.slice(this.#at)
      if (rest.startsWith('[')) throw new NotPortable('has an unescaped [ within a class, which Rust reads as a nested class')
      if (SET_OPERATION.test(rest)) throw new NotPortable('has --, &&, ~~ or || within a class, which Rust reads as a set operation')
      this.#at++
      if (rest.startsWith('\\')) this.#escape()
    }
    this.#at++
  }

  #count(): number {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#text.slice(this.#at))
    if (!found) return 1
    this.#at += found[0].length
    const [count = '', least, comma, most] = found
    if (count.startsWith('?')) return 1
    if (least === undefined || (comma !== '' && most === '')) this.#isOpen = true
    return Math.max(1, Number(least ?? 1), Number(most || 1))
  }
}
