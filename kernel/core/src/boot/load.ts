import { importPlugin, isInstalled } from '@gateway/loader'
import type { Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { BootError, blame } from './faults.ts'

/** What the config file and the distribution come to. */
export interface Loaded {
  /** Those that are switched on: built-in ones first, then the others as the config file lists them. */
  readonly plugins: readonly Plugin[]
  /** Those that are switched off. One from elsewhere was not imported, and only its name is known. */
  readonly off: readonly { readonly id: string; readonly plugin?: Plugin }[]
  /** The config file’s settings by plugin id. */
  readonly given: ReadonlyMap<string, object>
  /** What could not be loaded, and what to do about it. */
  readonly faults: readonly string[]
}

/**
 * The plugins that are to run: the built-in ones that are not switched off, and whatever packages and paths the config
 * file names beside them. Throws nothing: the faults join those of the plan.
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
        // A name that was mistyped would leave running what was meant to be off.
        if (isInstalled(name, settings.configFolder)) continue
        throw new Error(
          `there is no such plugin to switch off: built in are ${[...own.keys()].join(', ')}; correct the name, or take it out`,
        )
      }
      const plugin = await importPlugin(name, settings, [...own.keys()])
      const taken = origins.get(plugin.id)
      if (taken !== undefined) throw new Error(`its id ${plugin.id} is taken by ${taken}; switch one of the two off`)
      origins.set(plugin.id, `the plugin ${name}`)
      plugins.push(plugin)
      given.set(plugin.id, options)
    } catch (error) {
      faults.push(blame(name, 'load', error))
    }
  }
  // Another plugin may take the place of a built-in one that is switched off.
  return { plugins, off: off.filter(({ id }) => !origins.has(id)), given, faults }
}

/** Every plugin that is built in or named, also those that are switched off: for what moves their data. */
export async function everyPlugin(builtIn: readonly Plugin[], settings: Settings): Promise<readonly Plugin[]> {
  const { plugins, off, faults } = await loadPlugins(builtIn, settings)
  if (faults.length > 0) throw new BootError(faults)
  const others = await Promise.all(off.map(async ({ id, plugin }) => plugin ?? importPlugin(id, settings)))
  return [...plugins, ...others.filter(({ id }) => !plugins.some((plugin) => plugin.id === id))]
}
