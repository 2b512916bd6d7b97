/** Whatever reads the answer later on, recursively, may rely on it. */
const MAX_DEPTH = 64

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The value a handler answered; undefined when it is no JSON, or nested too deep. JSON has no undefined. */
export function readAnswer(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes)
    return isTooDeep(text) ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Counted in the text, before anything recursive sees it. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === 0x5c) at++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (char === 0x5d || char === 0x7d) depth--
  }
  return false
}

export const isJsonType = (contentType: unknown): boolean =>
  typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)
