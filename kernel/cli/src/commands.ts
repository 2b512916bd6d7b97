import type { Command } from './command.ts'
import { CliError, EXIT } from './exit.ts'
import { didYouMean } from './nearest.ts'

/** Every command, in the order of the help. Each is loaded when it is called. */
export const commands = {
  start: () => import('./commands/start.ts'),
  service: () => import('./commands/service.ts'),
  status: () => import('./commands/status.ts'),
  dashboard: () => import('./commands/dashboard.ts'),
  doctor: () => import('./commands/doctor.ts'),
  login: () => import('./commands/login.ts'),
  whoami: () => import('./commands/whoami.ts'),
  tenant: () => import('./commands/tenant.ts'),
  key: () => import('./commands/key.ts'),
  'rotate-keys': () => import('./commands/rotate-keys.ts'),
  tools: () => import('./commands/tools.ts'),
  call: () => import('./commands/call.ts'),
  mcp: () => import('./commands/mcp.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  migrate: () => import('./commands/migrate.ts'),
  audit: () => import('./commands/audit.ts'),
  rbac: () => import('./commands/rbac.ts'),
  connect: () => import('./commands/connect.ts'),
  hook: () => import('./commands/hook.ts'),
  plugin: () => import('./commands/plugin.ts'),
  'new-app': () => import('./commands/new-app.ts'),
  completion: () => import('./commands/completion.ts'),
  help: () => import('./commands/help.ts'),
  version: () => import('./commands/version.ts'),
} as const satisfies Record<string, () => Promise<{ readonly default: unknown }>>

/** The command of this name, if there is one. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (!Object.hasOwn(commands, name)) return undefined
  return (await commands[name as keyof typeof commands]()).default as unknown as Command
}

export const noCommand = (name: string): CliError =>
  new CliError(
    EXIT.usage,
    `There is no command ${JSON.stringify(name)}; \`gateway help\` lists them.${didYouMean(name, Object.keys(commands))}`,
  )
