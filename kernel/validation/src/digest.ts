import { hash } from 'node:crypto'

/**
 * More members than any schema names. A larger object is data, which each transport passes on in its order; sorting thousands
 * of names would take longer than reading them.
 */
const MAX_SORTED = 100

/** JSON with sorted keys, so that equal arguments have one digest on every transport. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    if (value.length > MAX_SORTED) return JSON.stringify(value)
    for (const item of value) text += `${text === '' ? '[' : ','}${canonicalJson(item)}`
    return text === '' ? '[]' : `${text}]`
  }
  const object = value as Readonly<Record<string, unknown>>
  const keys = Object.keys(object)
  if (keys.length > MAX_SORTED) return JSON.stringify(object)
  for (const key of keys.sort()) {
    const item = object[key]
    if (item !== undefined) text += `${text === '' ? '{' : ','}${quoted(key)}:${canonicalJson(item)}`
  }
  return text === '' ? '{}' : `${text}}`
}

// Most strings are names and short texts, for which a scan is cheaper than JSON.stringify.
const MAX_LOOK = 64
const PLAIN = /^[\w .:@/-]*$/
const quoted = (text: string): string => (text.length <= MAX_LOOK && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

export function argumentsDigest(args: unknown): string {
  return hash('sha256', canonicalJson(args), 'base64url')
}
