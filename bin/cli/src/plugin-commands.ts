import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from '@gateway/sdk'
import type { Command as PluginCommandSpec } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import type { Env, Invocation } from './command.ts'
import { onlyNamed } from './named-folder.ts'

export type Scene = Pick<Invocation, 'env' | 'cwd' | 'plugins'>

export interface PluginCommand {
  readonly plugin: string
  readonly command: PluginCommandSpec
}

/** Plugins that run with a config file. `unread` has a sentence for each place where there may be more. */
export interface FoundPlugins {
  readonly found: readonly Plugin[]
  readonly unread: readonly string[]
}

/** Commands of plugins. `unread` has a sentence for each place where there may be more. */
export interface PluginCommands {
  readonly found: readonly PluginCommand[]
  readonly unread: readonly string[]
}

interface Sources {
  readonly builtIn: readonly Plugin[]
  /** Packages and paths named by the config file. */
  readonly elsewhere: readonly string[]
  /** Absent if the settings are invalid: that stops a start, but no client. */
  readonly settings?: Settings
  readonly unread: readonly string[]
}

/** Returns every plugin that runs with this config file, built-in ones first. */
export async function pluginsOf(scene: Scene): Promise<FoundPlugins> {
  const all = await sources(scene)
  const others = await elsewhere(all)
  return { found: [...all.builtIn, ...others.found], unread: others.unread }
}

export async function pluginCommands(scene: Scene): Promise<PluginCommands> {
  const { found, unread } = await pluginsOf(scene)
  return { found: commandsOf(found), unread }
}

/** Returns the command of this name. A plugin from elsewhere is imported only if no built-in one has the command. */
export async function pluginCommand(name: string, scene: Scene): Promise<PluginCommand | PluginCommands> {
  const all = await sources(scene)
  const builtIn = commandsOf(all.builtIn)
  const isMeant = ({ command }: PluginCommand): boolean => command.name === name
  const first = builtIn.find(isMeant)
  if (first) return first
  const others = await elsewhere(all)
  const found = commandsOf(others.found)
  return found.find(isMeant) ?? { found: [...builtIn, ...found], unread: others.unread }
}

export const commandsOf = (plugins: readonly Plugin[]): readonly PluginCommand[] =>
  plugins.flatMap(({ id, commands }) => commands.map((command) => ({ plugin: id, command })))

/**
 * Reads the sources as a start does, but like every inspection of an installation it loads no code from the config file of a
 * folder that nobody named.
 */
async function sources({ plugins, env, cwd }: Scene): Promise<Sources> {
  // Most clients have no config file, and the settings on this machine must not delay a client of a service elsewhere.
  if (!hasConfigFile(env, cwd)) return { builtIn: await plugins(), elsewhere: [], unread: [] }
  const [builtIn, { loadSettings }] = await Promise.all([plugins(), import('@gateway/settings')])
  try {
    const { settings, leftOut, file } = onlyNamed(loadSettings({ env, cwd }), { env, cwd }, builtIn)
    const isOn = (name: string): boolean => settings.plugins[name] !== false
    const own = new Set(builtIn.map(({ id }) => id))
    return {
      builtIn: builtIn.filter(({ id }) => isOn(id)),
      elsewhere: Object.keys(settings.plugins).filter((name) => !own.has(name) && isOn(name)),
      settings,
      unread: leftOut.map((name) => `${file} loads ${name}, which was not looked at: name the file with GATEWAY_CONFIG if it is yours.`),
    }
  } catch (error) {
    const { faults = [(error as Error).message] } = error as { readonly faults?: readonly string[] }
    return { builtIn, elsewhere: [], unread: faults.map((fault) => `External plugins were not loaded: ${fault}`) }
  }
}

const hasConfigFile = ({ GATEWAY_CONFIG: file, GATEWAY_ROOT: root }: Env, cwd: string): boolean =>
  Boolean(file) || existsSync(join(resolve(cwd, root || '.'), 'gateway.config.json'))

async function elsewhere({ builtIn, elsewhere: names, settings, unread }: Sources): Promise<FoundPlugins> {
  if (settings === undefined || names.length === 0) return { found: [], unread }
  const { importPlugin } = await import('@gateway/loader')
  const ids = builtIn.map(({ id }) => id)
  const imported = await Promise.allSettled(names.map((name) => importPlugin(name, settings, ids)))
  return {
    found: imported.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    unread: [
      ...unread,
      ...imported.flatMap((one, at) =>
        one.status === 'rejected' ? [`The plugin ${names[at]} was not looked at: ${(one.reason as Error).message}.`] : [],
      ),
    ],
  }
}
