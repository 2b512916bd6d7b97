/** Options of an object schema that accepts only the members it names. */
export const closed = { additionalProperties: false } as const

/**
 * Returns the members that have a value. `undefined` members are removed, so that documents, answers and arguments hold only
 * what exists: `{ taskId, ...defined({ reason, repo }) }`.
 */
export function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: Partial<T> = {}
  for (const name of Object.keys(members) as (keyof T)[]) if (members[name] !== undefined) found[name] = members[name]
  return found as { [K in keyof T]?: Exclude<T[K], undefined> }
}
