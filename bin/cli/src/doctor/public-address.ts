import type { Plugin } from '@gateway/sdk'
import { hostName, LOOPBACK_NAMES, type Settings } from '@gateway/settings'
import type { Offline } from '../offline.ts'
import { runningIn } from '../running.ts'
import { type Finding, findings } from './finding.ts'

const VARIABLE = 'GATEWAY_PUBLIC_URL'

/** Checks that callers can use the public addresses in the settings of the plugins. */
export function checkPublicAddress({ dataDir, allowedHosts }: Settings, offline: Offline): readonly Finding[] {
  const allowed = runningIn(dataDir)?.trust?.allowedHosts ?? allowedHosts
  return [...addressesOf(offline)].map((address) => judge(address, allowed))
}

function judge(address: string, allowedHosts: readonly string[]): Finding {
  const { ok, warn } = findings('public address')
  const name = hostName(address.replace(/^https?:\/\//, '')) ?? address
  if (LOOPBACK_NAMES.has(name)) return ok(address)
  if (!allowedHosts.includes(name)) {
    return warn(
      `${address} is the public address, and GATEWAY_ALLOWED_HOSTS does not name its host: requests that name it are refused with 403`,
      `Add ${name} to GATEWAY_ALLOWED_HOSTS, unless the proxy in front sends another Host.`,
    )
  }
  if (address.startsWith('http:') && !name.startsWith('127.')) {
    return warn(`${address} is the public address, and without https nobody signs in through it`, `Set ${VARIABLE} to an https address.`)
  }
  return ok(address)
}

function addressesOf({ plugins, configs }: Offline): ReadonlySet<string> {
  const values = plugins.flatMap((plugin) => settingsOf(plugin).map((name) => valueIn(configs.get(plugin.config?.id ?? ''), name)))
  return new Set(values.filter((value) => value !== undefined))
}

/** The settings that read the variable; the config file may set them too. */
function settingsOf({ config }: Plugin): readonly string[] {
  const { properties = {} } = (config?.schema ?? {}) as { readonly properties?: Readonly<Record<string, { readonly env?: string }>> }
  return Object.keys(properties).filter((name) => properties[name]?.env === VARIABLE)
}

const valueIn = (values: unknown, name: string): string | undefined => (values as Readonly<Record<string, string>> | undefined)?.[name]
