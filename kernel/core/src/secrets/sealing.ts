import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from '@gateway/sdk'
import { type KeySource, keyFor } from './secrets.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts and authenticates a text, bound to its owner. The output differs each time, even for the same text. */
export function sealText(key: Buffer, text: string, binding: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(binding))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Returns the text, or undefined if it was not sealed with this key and binding. */
export function openSealed(key: Buffer, sealed: string, binding: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  // The decoder skips unknown characters, so a changed text is refused even if the change has no effect on its bytes.
  if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(binding))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Returns the seal of a plugin in a tenant: one key, with each sealed text bound to the two. */
export function pluginSeals(source: KeySource): (plugin: string, tenantId: string) => Seal {
  const key = keyFor(source, 'seals of plugins')
  return (plugin, tenantId) => {
    const binding = (of: string): string => JSON.stringify([plugin, tenantId, of])
    return {
      seal: (text, of) => sealText(key, text, binding(of)),
      open: (sealed, of) => openSealed(key, sealed, binding(of)),
    }
  }
}
