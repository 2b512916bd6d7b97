import { CommandError, EXIT } from '@gateway/sdk/command'
import { isLocal } from './clear-text.ts'
import type { Env } from './command.ts'
import { rememberedUrl } from './remembered-service.ts'
import { dataFolder, runningIn } from './running.ts'

/** Same as in the settings, which a client does not load: a test keeps the two equal. */
export const DEFAULT_PORT = 7411

export interface ServiceAddress {
  /** URL without a trailing slash. */
  readonly url: string
  /** `named` by --url or GATEWAY_URL, `remembered` from the last login, or the `local` one. */
  readonly source: 'named' | 'remembered' | 'local'
}

/** Returns the service that a command calls: `--url`, else GATEWAY_URL, else that of the last login, else the local one. */
export function serviceAddress(option: string | undefined, env: Env): ServiceAddress {
  const given = option ?? (env.GATEWAY_URL || undefined)
  if (given !== undefined) return { url: checked(given, option === undefined ? 'GATEWAY_URL' : '--url'), source: 'named' }
  const remembered = rememberedUrl(env)
  return remembered === undefined ? { url: localUrl(env), source: 'local' } : { url: remembered, source: 'remembered' }
}

/**
 * Returns the URL of the gateway with these settings on this machine: at GATEWAY_HOST and GATEWAY_PORT, and if neither is set, at
 * the address of the one that runs on the data folder.
 */
export function localUrl(env: Env): string {
  const running = env.GATEWAY_PORT || env.GATEWAY_HOST ? undefined : runningIn(dataFolder(env))
  return running?.url ?? `http://${localHost(env.GATEWAY_HOST)}:${env.GATEWAY_PORT || DEFAULT_PORT}`
}

/**
 * Tokens of the environment are for the gateway they were made for. A remembered service may belong to somebody else, so it gets
 * them only on this machine.
 */
export const mayHaveTokens = ({ url, source }: ServiceAddress): boolean => source !== 'remembered' || isLocal(url)

function checked(given: string, source: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return given.replace(/\/+$/, '')
  throw new CommandError(EXIT.usage, `${source} must be a URL like http://127.0.0.1:${DEFAULT_PORT}; got ${JSON.stringify(given)}.`)
}

/** A service that listens everywhere is reached over the loopback. */
function localHost(host: string | undefined): string {
  if (!host || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
