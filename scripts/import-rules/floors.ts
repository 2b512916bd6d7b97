import type { Import } from './imports.ts'

/** The floors of a plugin's `src`, from the top; files at its root, except the index, are below them all. */
const PLUGIN = [
  ['pages'],
  ['tools', 'routes', 'resources', 'prompts', 'jobs', 'commands', 'contributions', 'listeners'],
  ['services', 'operations', 'helper'],
  ['rules'],
]

/** The floors of kernel packages that have folders, from the top, by workspace. */
const KERNEL: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'kernel/core': [['boot'], ['registry'], ['events'], ['gateway.ts'], ['tenancy'], ['rights', 'secrets', 'ports']],
  'kernel/mcp': [['http-transport.ts', 'sse-transport.ts', 'part.ts', 'wire.ts'], ['stateless'], ['handshake'], ['dispatcher.ts']],
}

/** True for an import of a higher floor of the same package. */
export function isUpwards({ workspace, from, to }: Pick<Import, 'workspace' | 'from' | 'to'>): boolean {
  const known = KERNEL[workspace]
  if (known) return floorOf(known, to) < floorOf(known, from)
  // Schemas and interfaces may be built with a rule: `rules` and the root are one floor to each other.
  return workspace.startsWith('plugins/') && floorOf(PLUGIN, to) < Math.min(floorOf(PLUGIN, from), PLUGIN.length - 1)
}

/** The index is above all floors. Files at the root that no floor names are below them all. */
function floorOf(floors: readonly (readonly string[])[], path: string): number {
  const [, , , room = ''] = path.split('/')
  if (room === 'index.ts') return -1
  const floor = floors.findIndex((rooms) => rooms.includes(room))
  return floor === -1 ? floors.length : floor
}
