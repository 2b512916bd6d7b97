import { BadRequest } from '@gateway/sdk'

/**
 * Mail addresses: a host, `host/repo`, a repo or a role. One form for all: non-empty segments between slashes, without
 * whitespace, control characters or commas (a comma separates addresses in a query string).
 */
const ADDRESS = /^[^\s\p{C},/]+(?:\/[^\s\p{C},/]+)*$/u
export const MAX_ADDRESS_LENGTH = 200
export const MAX_ADDRESSES = 50

export function isAddress(text: string): boolean {
  const address = text.trim()
  return address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address)
}

/** The address in the form it is stored and compared in: trimmed, composed (NFC), lower case. */
export function parseAddress(field: string, text: string): string {
  if (isAddress(text)) return text.trim().normalize('NFC').toLowerCase()
  const got = text.length > 80 ? `${text.length} characters` : JSON.stringify(text)
  throw BadRequest({
    field,
    message: `\`${field}\` must be an address: host, host/repo, repo or role, at most ${MAX_ADDRESS_LENGTH} characters, without whitespace or commas; got ${got}.`,
  })
}

/** Returns the distinct addresses of a string, where commas separate them, or of an array. */
export function parseAddresses(field: string, given: string | readonly string[]): string[] {
  const texts = typeof given === 'string' ? given.split(',') : given.flatMap((text) => text.split(','))
  const addresses = [...new Set(texts.map((text) => parseAddress(field, text)))]
  if (addresses.length <= MAX_ADDRESSES) return addresses
  throw BadRequest({ field, message: `\`${field}\` takes at most ${MAX_ADDRESSES} addresses; got ${addresses.length}.` })
}
