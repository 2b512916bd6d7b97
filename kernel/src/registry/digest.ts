import { hash } from 'node:crypto'

/** JSON with keys in order, so that equal arguments have one digest whichever face they came through. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (entries.length > 1) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** SHA-256 of the canonical arguments, base64url. */
export function argumentsDigest(args: unknown): string {
  return hash('sha256', canonicalJson(args), 'base64url')
}
