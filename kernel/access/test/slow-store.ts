import type { Atomically, Collection, CollectionRef } from '@gateway/sdk'
import type { Store } from '../../storage/src/port.ts'

export interface SlowStore {
  readonly store: Store
  /** Makes the next `get` read now and answer when the returned function is called. */
  holdNextGet(): () => void
  /** Makes the next transaction commit now and answer when the returned function is called. */
  holdNextCommit(): () => void
}

/** Simulates a slow network: a read value can arrive long after it was true. */
export function slowStore(real: Store): SlowStore {
  let heldGet: Promise<void> | undefined
  let heldCommit: Promise<void> | undefined

  function collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const documents = real.collection<Doc>(ref, tenantId)
    return withMethods(documents, {
      async get(id) {
        const wait = heldGet
        heldGet = undefined
        const found = await documents.get(id)
        await wait
        return found
      },
    })
  }

  function atomically(tenantId: string): Atomically {
    const whole = real.atomically(tenantId)
    return async (work) => {
      const wait = heldCommit
      heldCommit = undefined
      const result = await whole(work)
      await wait
      return result
    }
  }

  return {
    store: withMethods(real, { collection, atomically }),
    holdNextGet() {
      const { promise, release } = held()
      heldGet = promise
      return release
    },
    holdNextCommit() {
      const { promise, release } = held()
      heldCommit = promise
      return release
    },
  }
}

function held(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = (): void => {}
  const promise = new Promise<void>((resolve) => (release = resolve))
  return { promise, release }
}

function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name: keyof T & string) {
      const member = methods[name] ?? target[name]
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}
