import { CommandError, type CommandHandler, EXIT } from '@gateway/sdk/command'
import { connect, connectAsAdmin, connectAsLocal } from './client.ts'
import type { Command } from './command.ts'
import { commands, ownCommand } from './commands.ts'
import { didYouMean } from './nearest.ts'
import { type PluginCommand, type PluginCommands, pluginCommand, type Scene } from './plugin-commands.ts'

/**
 * Returns the command of this name: the gateway's own, else a plugin's. Otherwise throws a usage error with the name that was
 * probably meant.
 */
export async function findCommand(name: string, scene: Scene): Promise<Command> {
  const own = await ownCommand(name)
  if (own) return own
  const match = await pluginCommand(name, scene)
  if ('command' in match) return loadPluginCommand(match)
  throw noCommand(name, match)
}

function noCommand(name: string, { found, unread }: PluginCommands): CommandError {
  const known = [...Object.keys(commands), ...found.map(({ command }) => command.name)]
  const sentence = `There is no command ${JSON.stringify(name)}; \`gateway help\` lists them.${didYouMean(name, known)}`
  return new CommandError(EXIT.usage, [sentence, ...unread].join(' '))
}

export async function loadPluginCommand({ plugin, command }: PluginCommand): Promise<Command> {
  const { usage, details, options, run } = await handlerOf(plugin, command)
  return {
    summary: command.summary,
    usage,
    ...(details !== undefined && { details }),
    options,
    async run({ values, positionals, env, output }) {
      const { url } = values as { readonly url?: string }
      const code: number | undefined = await run({
        values,
        positionals,
        env,
        output,
        connect: () => connect(url, env),
        connectAsAdmin: () => connectAsAdmin(url, env),
        connectAsLocal: () => connectAsLocal(url, env),
      })
      return (code ?? EXIT.ok) as typeof EXIT.ok
    },
  }
}

async function handlerOf(plugin: string, { name, load }: PluginCommand['command']): Promise<CommandHandler> {
  const fault = (what: string): CommandError =>
    new CommandError(EXIT.failure, `The command ${name} of plugin '${plugin}' cannot be loaded: ${what}.`)
  const module = await load().catch((error: unknown) => {
    throw fault(error instanceof Error ? error.message : String(error))
  })
  const handler = (module as { readonly default?: Partial<CommandHandler> } | undefined)?.default
  // A plugin in plain JavaScript may have any shape.
  if (typeof handler?.run !== 'function' || typeof handler.usage !== 'string' || typeof handler.options !== 'object')
    throw fault('the default export of its module is not what commandHandler makes')
  return handler as CommandHandler
}
