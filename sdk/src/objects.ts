/** Options of an object schema that takes no members but those it names. */
export const closed = { additionalProperties: false } as const

/**
 * The members that have a value. What is `undefined` is left out, so that a document, an answer or an argument has only what is there:
 * `{ taskId, ...defined({ reason, repo }) }`.
 */
export function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: Partial<T> = {}
  for (const name of Object.keys(members) as (keyof T)[]) if (members[name] !== undefined) found[name] = members[name]
  return found as { [K in keyof T]?: Exclude<T[K], undefined> }
}
