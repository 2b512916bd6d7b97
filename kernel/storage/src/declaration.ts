import type { CollectionRef } from '@gateway/sdk'
import { isFieldName } from './documents.ts'
import type { SortKey } from './sort.ts'

/** A declared collection with checked names, so that they may be part of a query of either store. */
export interface Declaration {
  readonly id: string
  readonly key: string
  readonly indexes: readonly DeclaredIndex[]
  readonly text: readonly string[]
  /** Weights of the fields of prepared text: 0 to 1. */
  readonly weights: Readonly<Record<string, number>> | undefined
}
export interface DeclaredIndex {
  /** `<collection>:index+field-field?present`: the index itself, so that a different one has a different name. */
  readonly name: string
  readonly keys: readonly SortKey[]
  readonly unique: boolean
  readonly present: string | undefined
  readonly expireAfterSeconds: number | undefined
  readonly acrossTenants: boolean
  /** Keys that a document may lack: a unique index refuses nothing of a document that lacks one. */
  readonly optional: readonly string[]
}

const COLLECTION_ID = /^[a-z][a-z0-9._-]*$/

/** Throws on a declaration that cannot be stored. */
export function declarationOf(ref: CollectionRef): Declaration {
  if (!COLLECTION_ID.test(ref.id)) throw new Error(`Collection ${JSON.stringify(ref.id)}: the id must match ${COLLECTION_ID.source}.`)
  const field = (name: string): string => {
    if (!isFieldName(name)) throw new Error(`Collection ${ref.id}: ${JSON.stringify(name)} cannot be the name of an indexed field.`)
    return name
  }
  const indexes = ref.indexes.map((spec): DeclaredIndex => {
    const keys = Object.entries(spec.keys).map(([name, direction]) => ({ field: field(name), direction: direction as 1 | -1 }))
    if (keys.length === 0) throw new Error(`Collection ${ref.id}: an index has no keys.`)
    if (spec.expireAfterSeconds !== undefined && keys.length > 1)
      throw new Error(`Collection ${ref.id}: an expiring index has one key, the time.`)
    const shape = keys.map((key) => (key.direction === 1 ? '+' : '-') + key.field).join('')
    const present = spec.present === undefined ? '' : `?${field(spec.present)}`
    return {
      name: `${ref.id}:${spec.unique ? 'unique' : 'index'}${shape}${present}`,
      keys,
      unique: spec.unique ?? false,
      present: spec.present,
      expireAfterSeconds: spec.expireAfterSeconds,
      acrossTenants: spec.acrossTenants ?? false,
      optional: keys.map((one) => one.field).filter((name) => name !== ref.key && mayLack(ref, name)),
    }
  })
  for (const [name, weight] of Object.entries(ref.weights ?? {})) {
    if (!(weight >= 0 && weight <= 1)) throw new Error(`Collection ${ref.id}: the weight of ${name} must be from 0 to 1; got ${weight}.`)
  }
  return { id: ref.id, key: field(ref.key), indexes, text: ref.text.map(field), weights: ref.weights }
}

interface FieldSchema {
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
}

/** Absent and null are the same to the contract. */
function mayLack({ schema }: CollectionRef, field: string): boolean {
  const { required = [], properties = {} } = schema as { required?: readonly string[]; properties?: Readonly<Record<string, FieldSchema>> }
  return !required.includes(field) || admitsNull(properties[field] ?? {})
}

function admitsNull({ type, enum: values, anyOf, ...rest }: FieldSchema): boolean {
  if (anyOf) return anyOf.some(admitsNull)
  if ('const' in rest) return rest.const === null
  if (values) return values.includes(null)
  return type === undefined || [type].flat().includes('null')
}

/** Name of the index over all tenants that accompanies one within each. */
export const acrossName = ({ name }: Pick<DeclaredIndex, 'name'>): string => `${name}:across`

export function acrossIndex({ id, indexes }: Declaration, where: object): DeclaredIndex {
  const [first] = Object.keys(where)
  const index = indexes.find(({ acrossTenants, keys }) => acrossTenants && keys[0]?.field === first)
  if (!index) throw new Error(`Collection ${id}: no index declared acrossTenants begins with ${String(first)}.`)
  return index
}

/** True if an index of that name refuses duplicates; one that is no longer declared would do so forever. */
export function isUniqueIndex({ id }: Pick<Declaration, 'id'>, name: string): boolean {
  return name.startsWith(`${id}:unique`)
}

export function cannotBeUnique({ id }: Pick<Declaration, 'id'>, detail: string): Error {
  return new Error(
    `Collection ${id}: an index cannot become unique, because documents have the same: ${detail}. ` +
      'Start the version before, and change or remove all but one of them.',
  )
}

export function declarationFault(ref: CollectionRef): string | undefined {
  try {
    declarationOf(ref)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
