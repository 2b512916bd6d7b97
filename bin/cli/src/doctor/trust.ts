import type { Settings } from '@gateway/settings'
import { hasNonLoopbackHost, listensElsewhere } from '@gateway/settings'
import { runningIn, type Trust } from '../running.ts'
import { trustLine } from '../trust-line.ts'
import { type Finding, findings } from './finding.ts'

/**
 * Checks who needs no credential, and that permitted callers can call: for the service that runs on the data folder, as it was
 * started, else for a start with these settings.
 */
export function checkTrust(settings: Settings): Finding {
  const running = runningIn(settings.dataDir)
  return running?.trust === undefined ? judge(settings) : judge(running.trust, `process ${running.pid}: `)
}

function judge(trust: Trust, subject = ''): Finding {
  const { ok, warn } = findings('trust')
  const { host, allowedHosts, loopbackTrust } = trust
  const others = hasNonLoopbackHost(allowedHosts)
  if (loopbackTrust && others) {
    return warn(
      `${subject}GATEWAY_LOOPBACK_TRUST is on beside GATEWAY_ALLOWED_HOSTS (${allowedHosts.join(', ')}): every request that this machine forwards as localhost has the operator’s permissions`,
      'Unset GATEWAY_LOOPBACK_TRUST and give this machine’s callers the local token or an API key, unless nothing here forwards to the gateway.',
    )
  }
  if (listensElsewhere(host) && !others) {
    return warn(
      `${subject}GATEWAY_HOST is ${host}, and the gateway answers to no name but those of the loopback`,
      'Add the host that remote callers use to GATEWAY_ALLOWED_HOSTS, or listen on 127.0.0.1.',
    )
  }
  return ok(`${subject}${trustLine(trust)}`)
}
