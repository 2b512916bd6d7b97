import { join, resolve } from 'node:path'
import type { Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Env } from './command.ts'

interface OnlyNamed {
  readonly settings: Settings
  /** External plugins, switched on or off, in the config file of a folder that was not named. */
  readonly leftOut: readonly string[]
  /** Config file, which need not exist. */
  readonly file: string
}

/**
 * Returns the settings that an inspection of the installation may use. A config file found in the current folder, which may be a
 * stranger's repository, configures built-in plugins and loads no code; one that GATEWAY_CONFIG or GATEWAY_ROOT names applies in
 * full.
 */
export function onlyNamed(settings: Settings, { env, cwd }: { env: Env; cwd: string }, builtIn: readonly Plugin[]): OnlyNamed {
  const file = configFileOf(settings, cwd)
  if (env.GATEWAY_CONFIG || env.GATEWAY_ROOT) return { settings, leftOut: [], file }
  const own = new Set(builtIn.map(({ id }) => id))
  const leftOut = Object.keys(settings.plugins).filter((name) => !own.has(name))
  const plugins = Object.fromEntries(Object.entries(settings.plugins).filter(([name]) => own.has(name)))
  return { settings: { ...settings, plugins }, leftOut, file }
}

export const configFileOf = ({ configFile, root }: Settings, cwd: string): string =>
  configFile === undefined ? join(root, 'gateway.config.json') : resolve(cwd, configFile)
