import type { Command } from './command.ts'

/** Every command, in the order of the help. Each is loaded when it is called. */
export const commands = {
  start: () => import('./commands/start.ts'),
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  tools: () => import('./commands/tools.ts'),
  call: () => import('./commands/call.ts'),
  backup: () => import('./commands/backup.ts'),
  audit: () => import('./commands/audit.ts'),
  help: () => import('./commands/help.ts'),
  version: () => import('./commands/version.ts'),
} as const satisfies Record<string, () => Promise<{ readonly default: unknown }>>

/** The command of this name, if there is one. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (!Object.hasOwn(commands, name)) return undefined
  return (await commands[name as keyof typeof commands]()).default as unknown as Command
}
