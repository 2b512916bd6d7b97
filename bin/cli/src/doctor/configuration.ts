import { adapters } from '@gateway/defaults'
import { preparePlugins } from '@gateway/kernel'
import type { Plugin } from '@gateway/sdk'
import { loadSettings, type Settings } from '@gateway/settings'
import type { Env } from '../command.ts'
import { onlyNamed } from '../named-folder.ts'
import type { Offline } from '../offline.ts'
import { unknownVariables } from '../unknown-variables.ts'
import { type Finding, findings } from './finding.ts'

export interface Configuration {
  readonly findings: readonly Finding[]
  /** Absent if the settings are invalid: nothing else can be checked then. */
  readonly settings?: Settings
  readonly offline?: Offline
}

/**
 * Checks the environment, the config file, and the plugins with their settings, as a start reads them, but loads no code of a
 * folder that nobody named.
 */
export async function checkConfiguration(env: Env, cwd: string, all: readonly Plugin[]): Promise<Configuration> {
  const { ok, warn } = findings('configuration')
  try {
    const { settings, leftOut, file } = onlyNamed(loadSettings({ env, cwd }), { env, cwd }, all)
    const unnamed = leftOut.map((name) =>
      warn(
        `${file} loads ${name}, which was not checked, because the file was not named`,
        'If the file is yours, name it: `GATEWAY_CONFIG=./gateway.config.json gateway doctor`.',
      ),
    )
    try {
      const { plugins, loaded, configs } = await preparePlugins(all, settings, env, adapters.parts)
      const count = plugins.length + loaded.off.length
      const valid = ok(`${plugins.length} of ${count} plugins on, all settings valid`)
      // The variables of a plugin that was left out are not known.
      const unread = leftOut.length > 0 ? [] : unknownVariables(env, [...all, ...plugins], file)
      const misspelt = unread.map((sentence) => warn(sentence, 'Correct the name, or unset it.'))
      return { findings: [valid, ...unnamed, ...misspelt], settings, offline: { plugins, configs } }
    } catch (error) {
      return { findings: [...faultsOf(error), ...unnamed], settings }
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
