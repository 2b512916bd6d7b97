import { BadRequest } from '@gateway/sdk'

const MAX_BYTES = 2_048

/** Refuses values, at any depth, that a store with its own operators and paths could not keep unchanged. */
export function checkMeta(meta: object | undefined): void {
  if (meta === undefined) return
  const bytes = Buffer.byteLength(JSON.stringify(meta))
  if (bytes > MAX_BYTES) refuse('meta', `must be at most ${MAX_BYTES} bytes as JSON; got ${bytes}`)
  checkKeys('meta', meta)
}

function checkKeys(path: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && (key.startsWith('$') || key.includes('.'))) {
      refuse(path, `must have no key that begins with $ or contains a dot; got ${JSON.stringify(key)}`)
    }
    checkKeys(`${path}.${key}`, inner)
  }
}

function refuse(field: string, fault: string): never {
  throw BadRequest({ field, message: `\`${field}\` ${fault}.` })
}
