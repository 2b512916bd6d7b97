import { isAscii, isUtf8, transcode } from 'node:buffer'

/** Whatever reads the answer later on, recursively, may rely on it. */
const MAX_DEPTH = 64
/** Names and values together: each takes time that no other call is served in. */
const MAX_VALUES = 20_000

/** The value a handler answered, or what is wrong with it: it is no JSON or nested too deep, or there is too much of it. */
export function readAnswer(bytes: Buffer): { readonly value: unknown } | { readonly failure: 'json' | 'size' } {
  try {
    if (!isUtf8(bytes)) return { failure: 'json' }
    const text = decoded(bytes)
    const exceeded = exceededLimit(text)
    if (exceeded) return { failure: exceeded }
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { failure: 'json' }
  }
}

/** Text beyond ASCII is decoded character by character; by way of UTF-16, in a fraction of the time. */
function decoded(bytes: Buffer): string {
  const text = isAscii(bytes) ? bytes.toString('latin1') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Counted in the text, before anything recursive sees it: what it costs to parse goes by the number of its parts. */
function exceededLimit(text: string): 'json' | 'size' | undefined {
  let depth = 0
  let values = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === 0x5c) at++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > MAX_DEPTH) return 'json'
      values++
    } else if (char === 0x5d || char === 0x7d) depth--
    else if (char === 0x2c || char === 0x3a) values++
    if (values > MAX_VALUES) return 'size'
  }
  return undefined
}

export const isJsonType = (contentType: unknown): boolean =>
  typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)
