import type { Command } from './command.ts'
import { commands, ownCommand } from './commands.ts'
import { loadPluginCommand } from './find-command.ts'
import { listedFamilies } from './listed-families.ts'
import type { Output } from './output.ts'
import { commandsOf, pluginsOf, type Scene } from './plugin-commands.ts'
import { placeholders, subcommands } from './usage-words.ts'

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  /** Words that may follow directly: subcommands, tools, families, commands. */
  readonly first: readonly string[]
  /** Options with their dashes. */
  readonly options: readonly string[]
}

export interface CompletionWords {
  readonly commands: readonly CompletedCommand[]
  /** Values of --view: `core`, then families, of which several may be joined by commas. */
  readonly views: readonly string[]
}

/**
 * Returns the words of every command, including those of plugins. A command that cannot be loaded is left out, with a complaint.
 */
export async function completionWords(scene: Scene, output: Output): Promise<CompletionWords> {
  const { found } = await pluginsOf(scene)
  const own = await Promise.all(Object.keys(commands).map(async (name) => [name, (await ownCommand(name)) as Command] as const))
  const entries = [...own, ...(await brought(found, output))]
  const views = listedFamilies(found)
  const kinds: Readonly<Record<string, readonly string[]>> = {
    tool: found.flatMap(({ tools }) => tools.map(({ name }) => name)),
    family: views,
    command: entries.map(([name]) => name),
  }
  const completed = entries.map(([name, { summary, usage, options }]) => ({
    name,
    summary,
    first: [...subcommands(usage), ...placeholders(usage).flatMap((kind) => kinds[kind] ?? [])],
    options: [...Object.keys(options), 'help'].map((option) => `--${option}`),
  }))
  return { commands: completed, views: ['core', ...views] }
}

async function brought(plugins: Parameters<typeof commandsOf>[0], output: Output): Promise<readonly (readonly [string, Command])[]> {
  const loaded = await Promise.allSettled(commandsOf(plugins).map(async (one) => [one.command.name, await loadPluginCommand(one)] as const))
  return loaded.flatMap((one) => {
    if (one.status === 'fulfilled') return [one.value]
    output.complain(`gateway: ${(one.reason as Error).message}`)
    return []
  })
}
