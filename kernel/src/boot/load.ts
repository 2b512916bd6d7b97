import { pathToFileURL } from 'node:url'
import { definePlugin, type Plugin, type PluginSpec } from '@gateway/sdk'
import type { Settings } from '../settings/settings.ts'
import { BootError, blame } from './faults.ts'
import { isInstalled, locatePlugin } from './locate.ts'
import { partFaults } from './parts.ts'
import { withTimeLimit } from './time-limit.ts'

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

/** One plugin by package or path, wherever it is from. */
export async function importPlugin(
  name: string,
  settings: Pick<Settings, 'configFolder' | 'startTimeoutMs'>,
  builtIn: readonly string[] = [],
): Promise<Plugin> {
  const file = locatePlugin(name, settings.configFolder, builtIn)
  return asPlugin(await importFile(file, settings.startTimeoutMs), file)
}

async function importFile(file: string, limitMs: number): Promise<{ readonly default?: unknown }> {
  try {
    const imported = import(pathToFileURL(file).href) as Promise<{ readonly default?: unknown }>
    return await withTimeLimit(imported, limitMs, 'its import')
  } catch (error) {
    throw new Error(importFault(error, file))
  }
}

function importFault(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `importing ${file} failed: ${String(error)}; ${ONLY_DEFINES}`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return `${message}; install what it imports, or build it`
  if (NO_JAVASCRIPT.has(code)) return `${file} is no JavaScript; name the plugin’s JavaScript file, or its package`
  // Also when a package has no export of a name; the stack then begins with the place.
  if (error instanceof SyntaxError) {
    const place = /^file:\S+/.exec(error.stack ?? '')?.[0] ?? file
    return `importing ${place} failed: ${message}; correct it, or install the version of what it imports that it was written for`
  }
  // What the plugin's own copy of the SDK says of a declaration.
  if (error.name === 'DefinitionError') return `${file} declares something wrongly: ${message}`
  return `importing ${file} failed: ${message}; ${ONLY_DEFINES}`
}

/** The last is the second one’s name from Node 22 on. */
const NO_JAVASCRIPT = new Set<unknown>(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_IMPORT_ASSERTION_TYPE_MISSING', 'ERR_IMPORT_ATTRIBUTE_MISSING'])
const ONLY_DEFINES = 'a plugin only defines itself when it is imported'

/**
 * What a module exports, as a plugin of this SDK. The parts are filled in anew: an SDK older than this one, which the plugin
 * brought with it, knows nothing of the newer ones.
 */
function asPlugin({ default: exported }: { readonly default?: unknown }, file: string): Plugin {
  const advice = '`export default definePlugin({ … })`'
  if (exported === undefined) throw new Error(`${file} has no default export; write ${advice}`)
  if (typeof exported !== 'object' || exported === null) {
    throw new Error(
      `the default export of ${file} is ${exported === null ? 'null' : `a ${typeof exported}`} and no plugin; write ${advice}`,
    )
  }
  const spec = exported as Readonly<Record<string, unknown>>
  const wrong = partFaults(spec)
  if (wrong.length > 0) throw new Error(`the default export of ${file} is no plugin: ${wrong.join(', ')}; write ${advice}`)
  return definePlugin(spec as unknown as PluginSpec)
}
