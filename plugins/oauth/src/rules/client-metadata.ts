import { isSafeRedirect } from './redirects.ts'
import { invalidRequest, OAuthRefusal } from './refusal.ts'

export interface Client {
  readonly clientId: string
  readonly clientName: string
  readonly redirectUris: readonly string[]
}

const MAX_NAME = 100
const MAX_REDIRECTS = 20

/** Reads the metadata of a client, from its document or its registration. Throws an OAuthRefusal. */
export function readMetadata(metadata: unknown, fallbackName: string): Omit<Client, 'clientId'> {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) throw invalidMetadata('The metadata must be an object.')
  const known = metadata as Record<string, unknown>
  const { client_name: name, redirect_uris: redirects, token_endpoint_auth_method: method = 'none', grant_types: grants } = known
  if (method !== 'none') throw invalidMetadata('token_endpoint_auth_method must be none: clients prove themselves by PKCE.')
  if ('client_secret' in known) throw invalidMetadata('client_secret must be absent.')
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes('authorization_code')))
    throw invalidMetadata('grant_types must include authorization_code.')
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    throw invalidRedirect(`redirect_uris must have 1 to ${MAX_REDIRECTS} addresses.`)
  for (const one of redirects)
    if (typeof one !== 'string' || !isSafeRedirect(one))
      throw invalidRedirect('redirect_uris must be https, http on the loopback, or the private scheme of an app, without a fragment.')
  return { clientName: shownName(name) ?? fallbackName, redirectUris: redirects as string[] }
}

/** Control and direction characters could make a name look like another one. */
function shownName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const plain = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, MAX_NAME)
  return plain === '' ? undefined : plain
}

const invalidMetadata = (description: string): OAuthRefusal => new OAuthRefusal('invalid_client_metadata', description)
const invalidRedirect = (description: string): OAuthRefusal => new OAuthRefusal('invalid_redirect_uri', description)

/** Checks the shape of a client id that is the address of a metadata document. Throws an OAuthRefusal. */
export function checkDocumentUrl(text: string): void {
  const path = /^https?:\/\/[^/?#]+(\/[^?#]*)/.exec(text)?.[1] ?? ''
  if (path.length < 2 || text.includes('#') || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path))
    throw invalidRequest('client_id must be an address with a path, without a fragment or dot segments.')
}
