import type { OwnCommand } from '@gateway/kernel'
import type { Command } from './command.ts'

/**
 * The gateway's own commands, in the order of the help. Each is loaded when it is called, and none loads a plugin to be found.
 */
export const commands = {
  start: () => import('./commands/start.ts'),
  service: () => import('./commands/service.ts'),
  status: () => import('./commands/status.ts'),
  dashboard: () => import('./commands/dashboard.ts'),
  doctor: () => import('./commands/doctor.ts'),
  login: () => import('./commands/login.ts'),
  tools: () => import('./commands/tools.ts'),
  call: () => import('./commands/call.ts'),
  mcp: () => import('./commands/mcp.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  migrate: () => import('./commands/migrate.ts'),
  audit: () => import('./commands/audit.ts'),
  connect: () => import('./commands/connect.ts'),
  hook: () => import('./commands/hook.ts'),
  plugin: () => import('./commands/plugin.ts'),
  completion: () => import('./commands/completion.ts'),
  help: () => import('./commands/help.ts'),
  version: () => import('./commands/version.ts'),
} as const satisfies Record<OwnCommand, () => Promise<{ readonly default: unknown }>>

export async function ownCommand(name: string): Promise<Command | undefined> {
  if (!Object.hasOwn(commands, name)) return undefined
  return (await commands[name as keyof typeof commands]()).default as unknown as Command
}
