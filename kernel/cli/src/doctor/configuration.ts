import { adapters } from '@gateway/defaults'
import { preparePlugins } from '@gateway/kernel'
import type { Plugin } from '@gateway/sdk'
import { loadSettings, type Settings } from '@gateway/settings'
import type { Env } from '../command.ts'
import { type Finding, findings } from './finding.ts'

export interface Configuration {
  readonly findings: readonly Finding[]
  /** Absent when they cannot be used: nothing else can be checked then. */
  readonly settings?: Settings
  readonly plugins?: readonly Plugin[]
}

/** The environment, the config file, and the plugins with their settings, exactly as a start reads them. */
export async function checkConfiguration(env: Env, cwd: string, all: readonly Plugin[]): Promise<Configuration> {
  const { ok } = findings('configuration')
  try {
    const settings = loadSettings({ env, cwd })
    try {
      const { plugins, loaded } = await preparePlugins(all, settings, env, adapters.parts)
      const count = plugins.length + loaded.off.length
      return { findings: [ok(`${plugins.length} of ${count} plugins on, all settings valid`)], settings, plugins }
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
