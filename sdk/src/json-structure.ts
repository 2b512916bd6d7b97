/** How much JSON is read. */
export interface StructureLimits {
  /** Of arrays and objects in one another. */
  readonly depth: number
  /** Names and values together. */
  readonly values: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Which limit a JSON text exceeds. Told from its bytes before it is parsed, at a few milliseconds a mebibyte: what a text costs the
 * parser, and all that walks the value after it, goes by the number of its parts. A mebibyte of names takes a tenth of a second
 * to parse, a mebibyte of one text a hundredth of that.
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

/** Most texts end within it; further on the search of the machine is faster, but costs something to begin. */
const NEAR = 64

/** Where the text ends whose first character is at `from`. */
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
