import type { Plugin } from '@gateway/sdk'
import { configure, enabledPlugins } from '../../boot/config.ts'
import { plan } from '../../boot/plan.ts'
import { loadSettings } from '../../settings/load.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Env } from '../command.ts'
import { type Finding, findings } from './finding.ts'

export interface Configuration {
  readonly findings: readonly Finding[]
  /** Absent when they cannot be used: nothing else can be checked then. */
  readonly settings?: Settings
  readonly plugins?: readonly Plugin[]
}

/** The environment, the config file, and the plugins with their settings, exactly as a start reads them. */
export function checkConfiguration(env: Env, cwd: string, all: readonly Plugin[]): Configuration {
  const { ok } = findings('configuration')
  try {
    const settings = loadSettings({ env, cwd })
    try {
      const enabled = enabledPlugins(all, settings.plugins)
      const { plugins } = plan(enabled)
      configure(plugins, settings.plugins, env)
      return { findings: [ok(`${plugins.length} of ${all.length} plugins on, all settings valid`)], settings, plugins }
    } catch (error) {
      return { findings: faultsOf(error), settings }
    }
  } catch (error) {
    return { findings: faultsOf(error) }
  }
}

function faultsOf(error: unknown): readonly Finding[] {
  const { fail } = findings('configuration')
  const faults = (error as { faults?: readonly string[] }).faults ?? [(error as Error).message]
  return faults.map((fault) => fail(fault, 'Correct the named setting; a start stops at it.'))
}
