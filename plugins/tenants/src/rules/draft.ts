import { BadRequest, type KeyDraft, parseTime } from '@gateway/sdk'

/** Fills in defaults, the label without white space around it, and the expiry in the store's form of times. Throws BAD_REQUEST for an expiry that is not a time. */
export function draftOf({ role = 'member', environment = 'live', label, expiresAt }: Partial<KeyDraft>): KeyDraft {
  return { role, environment, label: label?.trim(), expiresAt: expiresAt === undefined ? undefined : isoTime(expiresAt) }
}

const WITH_ZONE = /T.*(Z|[+-]\d\d:\d\d)$/

function isoTime(text: string): string {
  const at = WITH_ZONE.test(text) ? parseTime(text) : Number.NaN
  if (Number.isNaN(at))
    throw BadRequest({
      field: 'expiresAt',
      message: `\`expiresAt\` must be a time with its zone, such as 2026-12-31T00:00:00Z; got ${JSON.stringify(text)}.`,
    })
  return new Date(at).toISOString()
}
