/** Steps below this depth are not typed; the start checks them instead. */
type Deep = readonly [0, 0, 0, 0]
type Part<T> = T extends readonly unknown[] ? never : T

/**
 * JSON pointers (RFC 6901) into a value of this type: `/task/title`. They do not lead through lists: a panel names its rows,
 * and its fields point into one of them.
 */
export type Pointer<T, Depth extends readonly 0[] = readonly []> = unknown extends T
  ? '' | `/${string}`
  : '' | (Depth['length'] extends Deep['length'] ? never : StepsOf<Part<NonNullable<T>>, Depth>)

type StepsOf<T, Depth extends readonly 0[]> = T extends object
  ? string extends keyof T
    ? `/${string}`
    : { [K in keyof T & string]: `/${K}${Pointer<T[K], readonly [...Depth, 0]>}` }[keyof T & string]
  : never

/** Type of the value at a pointer. */
export type At<T, P extends string> = unknown extends T
  ? unknown
  : P extends ''
    ? T
    : P extends `/${infer Head}/${infer Rest}`
      ? At<Step<T, Head>, `/${Rest}`>
      : P extends `/${infer Last}`
        ? Step<T, Last>
        : unknown

type Step<T, K extends string> = NonNullable<T> extends infer O ? (K extends keyof O ? O[K] : unknown) : never

/** Returns the steps of a pointer, unescaped. */
export function pointerSteps(pointer: string): readonly string[] {
  if (pointer === '') return []
  const steps = pointer.slice(1).split('/')
  return pointer.includes('~') ? steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) : steps
}

/** Returns the value at `pointer` in `value`; undefined if it does not exist. Only own properties are found. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const step of pointerSteps(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
