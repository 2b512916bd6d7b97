import { hasNonLoopbackHost } from '@gateway/settings'
import type { Trust } from './running.ts'

/** Says in one sentence who needs no credential: an operator should not have to work it out from the settings. */
export function trustLine({ loopbackTrust, allowedHosts, trustedProxies }: Trust): string {
  const proxies = trustedProxies.length === 0 ? '' : `; ${trustedProxies.join(', ')} are trusted proxies`
  if (loopbackTrust) {
    return `no credential is needed for requests made directly from this machine to localhost, 127.0.0.1 or [::1]${proxies}`
  }
  const why = hasNonLoopbackHost(allowedHosts) ? `GATEWAY_ALLOWED_HOSTS names ${allowedHosts.join(', ')}` : 'GATEWAY_LOOPBACK_TRUST is off'
  return `no request is trusted without a credential, this machine included: ${why}${proxies}`
}
