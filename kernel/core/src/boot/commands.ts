/** Names of the gateway's own commands, which are found before any plugin is read. */
const OWN_COMMANDS = [
  'start',
  'service',
  'status',
  'dashboard',
  'doctor',
  'login',
  'tools',
  'call',
  'mcp',
  'backup',
  'restore',
  'migrate',
  'audit',
  'connect',
  'hook',
  'plugin',
  'completion',
  'help',
  'version',
] as const
export type OwnCommand = (typeof OWN_COMMANDS)[number]

export function commandFault(name: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return `command ${name}: the name must be kebab-case`
  if (OWN_COMMANDS.some((own) => own === name)) return `command ${name} is one of the gateway’s own; rename it`
  return undefined
}
