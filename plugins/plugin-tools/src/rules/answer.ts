import { readJson } from '@gateway/sdk/json'

/** Whatever reads the answer later on, recursively, may rely on the depth. And each name and value takes time that no other call is served in. */
const LIMITS = { depth: 64, values: 20_000 }

/** The value a handler answered, or what is wrong with it: it is no JSON or nested too deep, or there is too much of it. */
export function readAnswer(bytes: Buffer): { readonly value: unknown } | { readonly failure: 'json' | 'size' } {
  const read = readJson(bytes, LIMITS)
  if (read.fault === undefined) return { value: read.value }
  return { failure: read.fault === 'values' ? 'size' : 'json' }
}

export const isJsonType = (contentType: unknown): boolean =>
  typeof contentType === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)
