import { invalidRequest } from './refusal.ts'

export type Form = Readonly<Record<string, string | undefined>>

const MAX_PARAMETERS = 50

/** Reads a query or form. A parameter sent twice is refused (RFC 6749, 3.1), as is an empty list of them that is too long. */
export function readForm(text: string): Form {
  const form: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form) throw invalidRequest(`The parameter ${name.slice(0, 50)} was sent twice.`)
    if (++count > MAX_PARAMETERS) throw invalidRequest(`At most ${MAX_PARAMETERS} parameters are read.`)
    // An empty parameter counts as one that was not sent.
    if (value !== '') form[name] = value
  }
  return form
}

/** Reads `Authorization: Basic` as a client id and secret (RFC 6749, 2.3.1). */
export function readBasic(header: string | string[] | undefined): { clientId: string; secret: string } | undefined {
  const encoded = typeof header === 'string' ? /^Basic +([A-Za-z0-9+/=]{1,2000})$/i.exec(header)?.[1] : undefined
  const [id, secret] = encoded === undefined ? [] : (/^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.slice(1) ?? [])
  if (id === undefined || secret === undefined) return undefined
  try {
    return { clientId: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return undefined
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
