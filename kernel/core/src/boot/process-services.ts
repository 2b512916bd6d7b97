import type { Plugin, Provider, Uses } from '@gateway/sdk'
import { unwrap } from '../registry/uses.ts'

export interface ProcessServices {
  readonly made: ReadonlyMap<string, unknown>
  /**
   * Creates the process services of a plugin, each after the services it uses, and throws any error of its author. The plugins
   * it requires must come first.
   */
  make(plugin: Plugin): void
  /** Removes the services of a plugin that does not run. */
  drop(plugin: Plugin): void
  /** Disposes of a plugin's services that ask for it, in reverse order of creation. */
  dispose(plugin: Plugin): Promise<void>
}

export function processServices(configs: ReadonlyMap<string, unknown>, kernel: ReadonlyMap<string, unknown>): ProcessServices {
  const made = new Map(kernel)

  function make(id: string, own: ReadonlyMap<string, Provider>, path: readonly string[]): unknown {
    const provider = own.get(id)
    if (made.has(id) || !provider) return made.get(id)
    if (path.includes(id)) throw new Error(`services depend on each other in a cycle: ${[...path, id].join(' → ')}`)
    const resolved = resolve(provider.uses, own, [...path, id])
    try {
      made.set(id, provider.create(resolved as never, undefined as never))
    } catch (cause) {
      throw new Error(`its service ${id} could not be created: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
    return made.get(id)
  }

  function resolve(uses: Uses, own: ReadonlyMap<string, Provider>, path: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(uses).map(([name, use]) => {
        const { ref } = unwrap(use)
        return [name, ref.kind === 'config' ? configs.get(ref.id) : make(ref.id, own, path)]
      }),
    )
  }

  return {
    made,
    make({ provides }) {
      const own = new Map(provides.filter(({ ref }) => ref.scope === 'process').map((provider) => [provider.ref.id, provider]))
      for (const id of own.keys()) make(id, own, [])
    },
    drop({ provides }) {
      for (const { ref } of provides) made.delete(ref.id)
    },
    async dispose({ provides }) {
      const own = new Set(provides.filter(({ ref }) => ref.scope === 'process').map(({ ref }) => ref.id))
      const services = [...made].filter(([id]) => own.has(id)).map(([, service]) => service as Partial<AsyncDisposable> | undefined)
      for (const service of services.reverse()) await service?.[Symbol.asyncDispose]?.()
    },
  }
}
