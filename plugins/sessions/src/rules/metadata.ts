import { BadRequest } from '@gateway/sdk'
import { MAX_METADATA_BYTES } from '../schema.ts'

/** Refuses metadata that a store with its own operators and paths could not keep unchanged, at any depth. */
export function checkMetadata(field: string, metadata: object | undefined): void {
  if (metadata === undefined) return
  const bytes = Buffer.byteLength(JSON.stringify(metadata))
  if (bytes > MAX_METADATA_BYTES) refuse(field, `must be at most ${MAX_METADATA_BYTES} bytes as JSON; got ${bytes}`)
  checkKeys(field, metadata)
}

function checkKeys(field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && (key.startsWith('$') || key.includes('.')))
      refuse(field, `must have no key that begins with $ or contains a dot; got ${JSON.stringify(key)}`)
    checkKeys(`${field}.${key}`, inner)
  }
}

function refuse(field: string, fault: string): never {
  throw BadRequest({ field, message: `\`${field}\` ${fault}.` })
}
