import { compareValues } from './compare.ts'
import { badField, isFieldName, sameJson, toJson, type Doc } from './documents.ts'
import { resolveTime } from './store-time.ts'

type Change = (current: unknown, operand: unknown, field: string) => unknown
type Operands = Readonly<Record<string, unknown>>

/** In the order of application. `set` and `unset` are not here: they do not look at the current value. */
const changes: Readonly<Record<string, Change>> = {
  inc(current, operand, field) {
    if (typeof operand !== 'number' || !Number.isFinite(operand)) throw badField(field, 'inc expects a number')
    if (typeof (current ?? 0) !== 'number') throw badField(field, 'inc needs a number in the document')
    return ((current ?? 0) as number) + operand
  },
  min: (current, operand) => (isNull(current) || compareValues(operand, current) < 0 ? operand : current),
  max: (current, operand) => (isNull(current) || compareValues(operand, current) > 0 ? operand : current),
  push: (current, operand, field) => [...elements(current, field), operand],
  addToSet(current, operand, field) {
    const list = elements(current, field)
    return list.some((element) => sameJson(element, operand)) ? list : [...list, operand]
  },
  pull: (current, operand, field) =>
    isNull(current) ? current : elements(current, field).filter((element) => !sameJson(element, operand)),
}

/**
 * The document after an update; neither argument is changed. `key` is the id’s field, which an update may not touch.
 * Throws BAD_REQUEST naming the field when the update does not fit the document, or names a field twice.
 */
export function applyUpdate(doc: Doc, update: object, key: string, nowMs: number): Doc {
  const { set, unset, ...others } = update as { set?: Operands; unset?: readonly string[] } & Record<string, Operands | undefined>
  const next: Record<string, unknown> = { ...doc }
  const seen: string[] = []
  const touch = (field: string): void => {
    if (!isFieldName(field)) throw badField(field, 'expected the name of a top-level field')
    if (field === key) throw badField(field, 'the id of a document cannot change')
    if (seen.includes(field)) throw badField(field, 'stands in the update more than once')
    seen.push(field)
  }
  for (const field in set) {
    const value = set[field]
    if (value === undefined) continue
    touch(field)
    next[field] = toJson(resolveTime(value, nowMs))
  }
  for (const field of unset ?? []) {
    touch(field)
    delete next[field]
  }
  for (const operator in others) {
    if (others[operator] !== undefined && !Object.hasOwn(changes, operator)) throw badField(operator, 'is no update operator')
  }
  for (const operator in changes) {
    const operands = others[operator]
    for (const field in operands) {
      const operand = operands[field]
      if (operand === undefined) continue
      touch(field)
      const value = (changes[operator] as Change)(next[field], toJson(resolveTime(operand, nowMs)), field)
      if (value !== undefined) next[field] = value
    }
  }
  return next
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null
}

function elements(current: unknown, field: string): readonly unknown[] {
  if (isNull(current)) return []
  if (!Array.isArray(current)) throw badField(field, 'the document holds something that is not an array')
  return current
}
