import type { Store } from '@gateway/storage'

/**
 * The point at which the process ends: at the `nth` call of a step of the erasure, counted from 1; before its effect, after it,
 * or the given milliseconds into it.
 */
export interface KillPoint {
  readonly step: 'documentsOf' | 'removeSome' | 'scrub' | 'upsert' | 'updateOne'
  readonly nth: number
  readonly when: 'before' | 'after' | number
}

type Method = (...args: unknown[]) => Promise<unknown>

/** A store whose process is killed at one point: during removals, or while recording their progress. */
export function killing(store: Store, point: KillPoint): Store {
  let calls = 0
  const kill = (): void => void process.kill(process.pid, 'SIGKILL')

  const stepping =
    (method: Method): Method =>
    async (...args) => {
      if (++calls !== point.nth) return method(...args)
      if (point.when === 'before') kill()
      if (typeof point.when === 'number') setTimeout(kill, point.when)
      const result = await method(...args)
      if (point.when === 'after') kill()
      return result
    }

  const over = <T extends object>(target: T, methods: Readonly<Record<string, (method: Method) => unknown>>): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        const bound = value.bind(target) as Method
        return methods[String(name)]?.(bound) ?? bound
      },
    })

  const steps = { [point.step]: stepping }
  return over(store, {
    ...steps,
    collection: (method) => (ref: { id: string }, tenantId: string) => {
      const collection = (method as unknown as (...args: unknown[]) => object)(ref, tenantId)
      return ref.id === 'tenant-end.endings' ? over(collection, steps) : collection
    },
  })
}
