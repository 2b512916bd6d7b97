import { CommandError, EXIT } from '@gateway/sdk/command'

export const viewOption = {
  view: { type: 'string', value: 'VIEW', description: 'Only some tools: core, or families such as tasks,mailbox. Default: all.' },
} as const

export function endpointPath(view: string | undefined): string {
  if (view === undefined) return '/mcp'
  if (view === 'core') return '/mcp/core'
  if (/^[a-z0-9-]+(?:,[a-z0-9-]+)*$/.test(view)) return `/mcp/t/${view}`
  throw new CommandError(EXIT.usage, `--view must be core, or families such as tasks,mailbox; got ${JSON.stringify(view)}.`)
}
