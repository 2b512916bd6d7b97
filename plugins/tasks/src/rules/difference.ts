import { isDeepStrictEqual } from 'node:util'
import type { Update } from '@gateway/sdk'
import type { Task } from '../schema.ts'

/** The update that turns `before` into `after`, or `undefined` if they are the same. */
export function difference(before: Task, after: Task): Update<Task> | undefined {
  const set = Object.fromEntries(Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof Task])))
  const unset = (Object.keys(before) as (keyof Task)[]).filter((field) => !Object.hasOwn(after, field))
  if (Object.keys(set).length === 0 && unset.length === 0) return undefined
  return { set: set as Partial<Task>, unset }
}
