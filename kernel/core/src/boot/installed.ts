import { defined, type InstalledPlugins, type Plugin } from '@gateway/sdk'
import { shownSettings } from '@gateway/settings'
import type { PluginReport } from '../gateway.ts'
import type { Loaded } from './load.ts'

/** Lists the plugins with the outcome of their start and their displayable settings. Reports exist only after all have started. */
export function installed(
  { plugins, off }: Pick<Loaded, 'plugins' | 'off'>,
  configs: ReadonlyMap<string, unknown>,
  reports: () => readonly PluginReport[],
): InstalledPlugins {
  const known = new Map([...plugins, ...off.flatMap(({ plugin }) => plugin ?? [])].map((plugin) => [plugin.id, plugin]))
  return {
    list: () =>
      reports().map((report) => {
        const plugin = known.get(report.id)
        return { ...report, ...defined({ description: plugin?.description }), settings: plugin ? settingsOf(plugin, configs) : {} }
      }),
  }
}

function settingsOf({ config }: Plugin, configs: ReadonlyMap<string, unknown>): object {
  const values = config && configs.get(config.id)
  return config && values ? shownSettings(config.schema, values) : {}
}
