import type { Collection, CollectionRef } from '@gateway/sdk'
import type { Store } from '../../storage/src/port.ts'

export interface SlowStore {
  readonly store: Store
  /** Makes the next `get` read now and answer when the returned function is called. */
  holdNextGet(): () => void
}

/** Simulates a slow network: a read value can arrive long after it was true. */
export function slowStore(real: Store): SlowStore {
  let held: Promise<void> | undefined

  function collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const documents = real.collection<Doc>(ref, tenantId)
    return withMethods(documents, {
      async get(id) {
        const wait = held
        held = undefined
        const found = await documents.get(id)
        await wait
        return found
      },
    })
  }

  return {
    store: withMethods(real, { collection }),
    holdNextGet() {
      let release = (): void => {}
      held = new Promise((resolve) => (release = resolve))
      return release
    },
  }
}

function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name: keyof T & string) {
      const member = methods[name] ?? target[name]
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}
