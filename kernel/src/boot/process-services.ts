import type { Plugin, Uses } from '@gateway/sdk'
import { BootError, blame } from './faults.ts'
import { unwrap } from './uses.ts'

/**
 * Make every process service, each after those it uses. Expects a planned set: no circle between plugins. A circle
 * inside one plugin is found here.
 */
export function processServices(
  plugins: readonly Plugin[],
  configs: ReadonlyMap<string, unknown>,
  kernel: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const made = new Map(kernel)
  const providers = new Map(
    plugins.flatMap((plugin) =>
      plugin.provides
        .filter(({ ref }) => ref.scope === 'process')
        .map((provider) => [provider.ref.id, { provider, plugin: plugin.id }] as const),
    ),
  )

  function make(id: string, path: readonly string[]): unknown {
    if (made.has(id)) return made.get(id)
    const found = providers.get(id)
    if (!found) return undefined
    if (path.includes(id))
      throw new BootError([blame(found.plugin, 'wire', `services need each other in a circle: ${[...path, id].join(' → ')}`)])
    const resolved = resolve(found.provider.uses, [...path, id])
    try {
      made.set(id, found.provider.create(resolved as never, undefined as never))
    } catch (error) {
      const fault = blame(found.plugin, 'wire', error)
      throw new BootError([`${fault}; its service ${id} could not be made: put that right, or switch the plugin off`])
    }
    return made.get(id)
  }

  function resolve(uses: Uses, path: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(uses).map(([name, use]) => {
        const { ref } = unwrap(use)
        return [name, ref.kind === 'config' ? configs.get(ref.id) : make(ref.id, path)]
      }),
    )
  }

  for (const id of providers.keys()) make(id, [])
  return made
}
