import { importPlugin, isInstalled } from '@gateway/loader'
import type { Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { BootError, blame } from './faults.ts'

export interface Loaded {
  /** The enabled plugins: built-in ones first, then the others in the order of the config file. */
  readonly plugins: readonly Plugin[]
  /** The disabled plugins. External ones are not imported, so only their names are known. */
  readonly off: readonly { readonly id: string; readonly plugin?: Plugin }[]
  readonly given: ReadonlyMap<string, object>
  /** Faults of plugins that could not be loaded, with the remedy. */
  readonly faults: readonly string[]
}

/**
 * Loads the plugins that are to run: the built-in ones that are not disabled, and the packages and paths that the config file
 * names. It throws nothing; its faults join those of the plan.
 */
export async function loadPlugins(builtIn: readonly Plugin[], settings: Settings): Promise<Loaded> {
  const own = new Map(builtIn.map((plugin) => [plugin.id, plugin]))
  const named = Object.entries(settings.plugins)
  const isOff = (id: string): boolean => settings.plugins[id] === false
  const plugins = builtIn.filter(({ id }) => !isOff(id))
  const off: Loaded['off'][number][] = builtIn.filter(({ id }) => isOff(id)).map((plugin) => ({ id: plugin.id, plugin }))
  const given = new Map<string, object>()
  const faults: string[] = []
  const origins = new Map(plugins.map(({ id }) => [id, 'the built-in plugin']))

  for (const [name, value] of named) {
    const options = typeof value === 'object' ? value : {}
    if (own.has(name)) {
      if (value !== false) given.set(name, options)
      continue
    }
    if (value === false) off.push({ id: name })
    try {
      if (value === false) {
        // A mistyped name would leave a plugin running that was meant to be off.
        if (isInstalled(name, settings.configFolder)) continue
        throw new Error(
          `no plugin of this name can be disabled: built in are ${[...own.keys()].join(', ')}; correct the name, or remove it`,
        )
      }
      const plugin = await importPlugin(name, settings, [...own.keys()])
      const taken = origins.get(plugin.id)
      if (taken !== undefined) throw new Error(`its id ${plugin.id} is taken by ${taken}; disable one of the two`)
      origins.set(plugin.id, `the plugin ${name}`)
      plugins.push(plugin)
      given.set(plugin.id, options)
    } catch (error) {
      faults.push(blame(name, 'load', error))
    }
  }
  // Another plugin may replace a built-in one that is switched off.
  return { plugins, off: off.filter(({ id }) => !origins.has(id)), given, faults }
}

/** Loads every plugin that is built in or named, including disabled ones, for programs that move their data. */
export async function everyPlugin(builtIn: readonly Plugin[], settings: Settings): Promise<readonly Plugin[]> {
  const { plugins, off, faults } = await loadPlugins(builtIn, settings)
  if (faults.length > 0) throw new BootError(faults)
  const others = await Promise.all(off.map(async ({ id, plugin }) => plugin ?? importPlugin(id, settings)))
  return [...plugins, ...others.filter(({ id }) => !plugins.some((plugin) => plugin.id === id))]
}
