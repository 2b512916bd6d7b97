/** Returns a sentence that says why the service could not be reached, and what to do. */
export function notReached(url: string, error: unknown): string {
  const { code, message } = causeOf(error)
  const why = typeof code === 'string' ? code : message
  if (typeof code === 'string') {
    const fault = certificateFault(code, message)
    if (fault !== undefined) return `${url} ${fault}`
    if (NO_TLS.has(code)) return `${url} does not speak TLS (${code}). Write http:// if it is meant to be reached without encryption.`
  }
  return `No gateway answers at ${url} (${why}). Start one with \`gateway start\`, or name another with --url or GATEWAY_URL.`
}

/** True if the certificate was refused: waiting does not change that. */
export function isCertificateFault(error: unknown): boolean {
  const { code, message } = causeOf(error)
  return typeof code === 'string' && certificateFault(code, message) !== undefined
}

const causeOf = (error: unknown): NodeJS.ErrnoException => ((error as Error).cause ?? error) as NodeJS.ErrnoException

const SELF_SIGNED: ReadonlySet<string> = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])
const WRONG_TIME: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
const NO_TLS: ReadonlySet<string> = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'])
const TRUST_HINT = 'If you trust it, set NODE_EXTRA_CA_CERTS to the path of a PEM file with'

function certificateFault(code: string, message: string): string | undefined {
  if (SELF_SIGNED.has(code))
    return `has a self-signed certificate (${code}). ${TRUST_HINT} that certificate, or with the authority that signed it.`
  if (UNKNOWN_AUTHORITY.has(code))
    return `has a certificate of an authority that is not known here (${code}). ${TRUST_HINT} the certificate of that authority.`
  if (WRONG_TIME.has(code))
    return `has a certificate that is not valid at this time (${code}). Renew it, or correct the clock of this machine.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `has a certificate for another name (${message}). Use a name that it lists.`
  return /^(?:CERT_|ERR_TLS_CERT|CRL_)/.test(code) ? `has a certificate that cannot be verified (${code}).` : undefined
}
