/** Limits on the structure of a JSON text. */
export interface StructureLimits {
  /** Nesting depth of arrays and objects. */
  readonly depth: number
  /** Names and values together. */
  readonly values: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the limit that a JSON text exceeds. It is computed from the bytes before parsing, at a few milliseconds per mebibyte,
 * because the cost of the parser, and of everything that walks the value, grows with the number of parts: a mebibyte of names
 * takes a tenth of a second to parse, a mebibyte of one text a hundredth of that.
 */
export function exceededLimit(bytes: Buffer, { depth: maxDepth, values: maxValues }: StructureLimits): keyof StructureLimits | undefined {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = closingQuote(bytes, at + 1)
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > maxDepth) return 'depth'
        if (++values > maxValues) return 'values'
        break
      case COMMA:
      case COLON:
        if (++values > maxValues) return 'values'
    }
  }
  return undefined
}

/** Most texts end within this distance; beyond it the native search is faster but costs something to start. */
const NEAR = 64

/** Returns the end of the string whose first character is at `from`. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length) {
    for (const near = at + NEAR; at < near; at++) {
      if (bytes[at] === QUOTE) return at
      if (bytes[at] === BACKSLASH) at++
    }
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) break
    let escapes = quote
    while (escapes > at && bytes[escapes - 1] === BACKSLASH) escapes--
    if ((quote - escapes) % 2 === 0) return quote
    at = quote + 1
  }
  return bytes.length
}
