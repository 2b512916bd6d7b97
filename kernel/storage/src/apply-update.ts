import { risen } from '@gateway/sdk'
import { compareValues } from './compare.ts'
import { badField, checkField, sameJson, toJson } from './documents.ts'
import { resolveTime } from './store-time.ts'

/** Field whose value rises strictly with every update of its document, so that it identifies a revision. */
export const UPDATED_AT = 'updatedAt'

const rising = (current: unknown, value: unknown): unknown =>
  typeof current === 'string' && typeof value === 'string' ? risen(current, value) : value

type Change = (current: unknown, operand: unknown, field: string) => unknown
type Operands = Readonly<Record<string, unknown>>

const operators: ReadonlySet<string> = new Set(['set', 'unset', 'inc', 'min', 'max', 'push', 'addToSet', 'pull'])

/** `set` and `unset` are not here, because they ignore the current value. */
const changes: Readonly<Record<string, Change>> = {
  inc(current, operand, field) {
    if (typeof operand !== 'number' || !Number.isFinite(operand)) throw badField(field, 'inc expects a number')
    if (typeof (current ?? 0) !== 'number') throw badField(field, 'inc needs a number in the document')
    const sum = ((current ?? 0) as number) + operand
    // A number that is not finite is null once it is written as JSON.
    if (!Number.isFinite(sum)) throw badField(field, `inc must give a finite number; got ${sum}`)
    return sum
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

/** Values of the updated fields before the update; `undefined` for absent ones. */
type Before = ReadonlyMap<string, unknown>

/**
 * Applies an update to a document that the caller has just parsed and shares with nobody: changing it in place costs a third of
 * copying it first. `key` is the id's field, which an update may not touch. Throws BAD_REQUEST naming the field if the update
 * does not fit the document, or names a field twice; the document must then be discarded.
 */
export function applyUpdate(doc: Record<string, unknown>, update: object, key: string, nowMs: number): Before {
  const before = new Map<string, unknown>()
  // A field may occur in one operator only, so their order is free. This one goes first: V8 removes the member that was added
  // last at no cost, and turns an
  // object that loses another one into a dictionary, which is slow to write as JSON.
  const { unset = [] } = update as { readonly unset?: readonly string[] }
  for (const field of unset) {
    if (touch(doc, field, key, before) !== undefined) delete doc[field]
  }
  for (const operator in update) {
    if (!operators.has(operator)) throw badField(operator, `must be one of the update operators ${[...operators].join(', ')}`)
    if (operator === 'unset') continue
    const operands = (update as Readonly<Record<string, Operands | undefined>>)[operator]
    const change = changes[operator]
    for (const field in operands) {
      const operand = operands[field]
      if (operand === undefined) continue
      const current = touch(doc, field, key, before)
      const value = toJson(resolveTime(operand, nowMs))
      const next = change ? change(current, value, field) : field === UPDATED_AT ? rising(current, value) : value
      // Pulling from an absent field leaves it absent.
      if (next !== undefined) doc[field] = next
    }
  }
  return before
}

/** Records the field's value in `before` and returns it. */
function touch(doc: Readonly<Record<string, unknown>>, field: string, key: string, before: Map<string, unknown>): unknown {
  checkField(field)
  if (field === key) throw badField(field, 'the id of a document cannot change')
  if (before.has(field)) throw badField(field, 'must occur once in an update')
  const current = Object.hasOwn(doc, field) ? doc[field] : undefined
  before.set(field, current)
  return current
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null
}

function elements(current: unknown, field: string): readonly unknown[] {
  if (isNull(current)) return []
  if (!Array.isArray(current))
    throw badField(field, `must be an array in the document; it is ${typeof current === 'object' ? 'an object' : `a ${typeof current}`}`)
  return current
}
