import type { Settings } from '@gateway/settings'
import { listensElsewhere, namesOthers } from '@gateway/settings'
import { trustLine } from '../trust-line.ts'
import { type Finding, findings } from './finding.ts'

/** Whether those who need no credential are those who were meant, and those who may call can. */
export function checkTrust(settings: Settings): Finding {
  const { ok, warn } = findings('trust')
  const { host, allowedHosts, loopbackTrust } = settings
  const others = namesOthers(allowedHosts)
  if (loopbackTrust && others) {
    return warn(
      `GATEWAY_LOOPBACK_TRUST is on beside GATEWAY_ALLOWED_HOSTS (${allowedHosts.join(', ')}): whatever this machine forwards as localhost has the operator’s powers`,
      'Unset GATEWAY_LOOPBACK_TRUST and give this machine’s callers the local token or an API key, unless nothing here forwards to the gateway.',
    )
  }
  if (listensElsewhere(host) && !others) {
    return warn(
      `GATEWAY_HOST is ${host}, and the gateway answers to no name but those of the loopback`,
      'Name in GATEWAY_ALLOWED_HOSTS the host that callers elsewhere use, or listen on 127.0.0.1.',
    )
  }
  return ok(trustLine(settings))
}
