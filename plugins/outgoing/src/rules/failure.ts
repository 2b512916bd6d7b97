import type { Failure } from '../errors.ts'

/** A name resolves to an address that calls must not reach. */
export class ClosedAddress extends Error {
  override readonly name = 'ClosedAddress'
}

/** Codes of undici, of TLS, and of OpenSSL for a certificate. */
const FAILURE_OF: ReadonlyMap<unknown, Failure> = new Map([
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
  ['CERT_UNTRUSTED', 'untrusted'],
  ['CERT_SIGNATURE_FAILURE', 'untrusted'],
  ['CERT_REJECTED', 'untrusted'],
  ['INVALID_CA', 'untrusted'],
  ['INVALID_PURPOSE', 'untrusted'],
])

/** Reason why a call that ended with this error gave no answer. */
export function failureOf(error: unknown, sent: boolean): Failure {
  if (error instanceof ClosedAddress) return 'address'
  const { code } = error as { readonly code?: unknown }
  const known = FAILURE_OF.get(code)
  if (known) return known
  // The parser reports most faults without a code.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol'
  return sent ? 'reset' : 'connect'
}
