/**
 * Patterns whose time is proportional to the text, whatever the text. JavaScript's engine tries every way to split a text
 * between parts of a pattern, so only patterns with a single way are accepted: no groups, no alternatives, anchored at the
 * beginning, and no part of varying length that shares a character with its possible successors.
 */
const MAX_PATTERN = 200
const MAX_COUNT = 1_000

interface Part {
  readonly chars: CharSet
  readonly min: number
  readonly max: number
}

/** The fault of a pattern, as the end of a sentence; undefined if it is safe to run. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `has at most ${MAX_PATTERN} characters`
  if (!pattern.startsWith('^')) return 'begins with ^'
  try {
    new RegExp(pattern, 'u')
  } catch {
    return 'is a regular expression'
  }
  const parts = new Reader(pattern).parts()
  if (parts === undefined)
    return `is a row of characters, classes and \\d \\w \\s with counts up to ${MAX_COUNT}: no groups, no |, no lazy counts`
  let following: CharSet = 0n
  for (const { chars, min, max } of parts.reverse()) {
    if (min !== max && overlap(chars, following)) return 'has no part of varying length that shares a character with what follows it'
    following = min > 0 ? chars : chars | following
  }
  return undefined
}

/** Characters of a part as bits: one for each ASCII character and one for all others, which is more than it has. */
type CharSet = bigint
const OTHERS = 1n << 128n
const ASCII = OTHERS - 1n
const ALL = OTHERS | ASCII

const overlap = (a: CharSet, b: CharSet): boolean => (a & b) !== 0n
/** Some of the others are excluded too, so that they stay in. */
const not = (set: CharSet): CharSet => (ALL ^ set) | OTHERS
/** A table by code of all characters below it, because computing one takes longer than everything else that is done with it. */
const BELOW: readonly CharSet[] = Array.from({ length: 129 }, (_, code) => (1n << BigInt(code)) - 1n)
const below = (code: number): CharSet => BELOW[Math.min(code, 128)] as CharSet
const only = (from: number, to = from): CharSet => (below(to + 1) & ~below(from) & ASCII) | (to >= 128 ? OTHERS : 0n)

const digit = only(48, 57)
const word = digit | only(95) | only(65, 90) | only(97, 122)
// Spaces also occur among the others.
const space = OTHERS | only(9, 13) | only(32)
const CLASSES: Readonly<Record<string, CharSet>> = { d: digit, w: word, s: space, D: not(digit), W: not(word), S: not(space) }
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const PUNCTUATION = /^[\^$\\.*+?()[\]{}|/-]$/

const ONCE = { min: 1, max: 1 }
const COUNTS: Readonly<Record<string, Pick<Part, 'min' | 'max'>>> = {
  '*': { min: 0, max: Number.POSITIVE_INFINITY },
  '+': { min: 1, max: Number.POSITIVE_INFINITY },
  '?': { min: 0, max: 1 },
}

/** Reads a pattern that `new RegExp` accepts; undefined for anything outside the subset. */
class Reader {
  readonly #text: readonly string[]
  #at = 1

  constructor(pattern: string) {
    this.#text = [...pattern]
  }

  parts(): Part[] | undefined {
    const parts: Part[] = []
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === '$' && this.#at === this.#text.length - 1) return parts
      const chars = this.#chars()
      const count = chars === undefined ? undefined : this.#count()
      if (chars === undefined || !count) return undefined
      parts.push({ chars, ...count })
    }
    return parts
  }

  #chars(): CharSet | undefined {
    const char = this.#text[this.#at++] as string
    if (char === '.') return ALL
    if (char === '[') return this.#class()
    if (char === '\\') return this.#escaped()
    return '^$*+?(){}|]'.includes(char) ? undefined : only(char.codePointAt(0) as number)
  }

  #escaped(): CharSet | undefined {
    const char = this.#text[this.#at++] as string
    if (Object.hasOwn(CLASSES, char)) return CLASSES[char]
    if (Object.hasOwn(CONTROLS, char)) return only(CONTROLS[char] as number)
    return PUNCTUATION.test(char) ? only(char.codePointAt(0) as number) : undefined
  }

  #class(): CharSet | undefined {
    const negated = this.#text[this.#at] === '^'
    if (negated) this.#at++
    let set: CharSet = 0n
    while (this.#text[this.#at] !== ']') {
      const member = this.#member()
      if (member === undefined) return undefined
      set |= member
    }
    this.#at++
    return negated ? not(set) : set
  }

  /** A member of a class, or a range of two plain characters. */
  #member(): CharSet | undefined {
    const char = this.#text[this.#at++] as string
    const single = char === '\\' ? this.#escaped() : only(char.codePointAt(0) as number)
    const to = this.#text[this.#at + 1]
    if (this.#text[this.#at] !== '-' || to === ']' || to === undefined) return single
    if (char === '\\' || to === '\\') return undefined
    this.#at += 2
    return only(char.codePointAt(0) as number, to.codePointAt(0) as number)
  }

  #count(): Pick<Part, 'min' | 'max'> | undefined {
    const char = this.#text[this.#at] ?? ''
    const count = char === '{' ? this.#braces() : COUNTS[char]
    if (count === undefined) return char === '{' ? undefined : ONCE
    if (char !== '{') this.#at++
    // A lazy quantifier.
    return this.#text[this.#at] === '?' ? undefined : count
  }

  #braces(): Pick<Part, 'min' | 'max'> | undefined {
    const given = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 20).join(''))
    if (!given) return undefined
    this.#at += given[0].length
    const min = Number(given[1])
    const max = given[3] ? Number(given[3]) : given[2] ? Number.POSITIVE_INFINITY : min
    return min > MAX_COUNT || (max !== Number.POSITIVE_INFINITY && max > MAX_COUNT) ? undefined : { min, max }
  }
}
