import type { EntityKind } from '../schema.ts'
import { readEntity } from './entities.ts'

export interface Touching {
  readonly at: string
  readonly path: string
  readonly sha8: string
  readonly title: string
  readonly namespace: string
  readonly entities: readonly string[]
}
interface Touch {
  readonly at: string
  readonly path: string
  readonly sha8: string
  readonly title: string
  readonly repo?: string
}
export interface Touched {
  readonly name: string
  readonly kind: EntityKind
  /** Newest first. */
  readonly touches: readonly Touch[]
}

/** Collects the entities of the atoms (newest first), ordered by their last mention. */
export function touchesOf(atoms: readonly Touching[], kind: EntityKind | undefined, wanted: (name: string) => boolean): readonly Touched[] {
  const found = new Map<string, { name: string; kind: EntityKind; touches: Touch[] }>()
  for (const { at, path, sha8, title, namespace, entities } of atoms)
    for (const key of entities) {
      const entity = readEntity(key)
      if ((kind !== undefined && entity.kind !== kind) || !wanted(entity.name)) continue
      const id = key.toLowerCase()
      const one = found.get(id) ?? { ...entity, touches: [] }
      one.touches.push({ at, path, sha8, title, ...(namespace !== '' && { repo: namespace }) })
      found.set(id, one)
    }
  return [...found.values()]
}
