import type { Pointer } from './contract.ts'

/** Returns the value at a JSON pointer (RFC 6901), or `undefined` if the pointer leads nowhere. */
export function at(value: unknown, pointer: Pointer): unknown {
  if (pointer === '') return value
  let found = value
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

export interface Row {
  readonly key: string
  readonly value: unknown
}

/** Returns the rows of a list, or of a record by name, with the name at `/$key`. Two rows never share a key. */
export function rowsAt(answer: unknown, pointer: Pointer, key: Pointer): Row[] {
  const found = at(answer, pointer)
  const seen = new Map<string, number>()
  return listed(found).map((value, index) => {
    const named = at(value, key)
    const base = typeof named === 'string' || typeof named === 'number' ? String(named) : `#${index}`
    const times = seen.get(base) ?? 0
    seen.set(base, times + 1)
    return { key: times === 0 ? base : `${base} ${times}`, value }
  })
}

function listed(found: unknown): readonly unknown[] {
  if (Array.isArray(found)) return found
  if (typeof found !== 'object' || found === null) return []
  return Object.entries(found).map(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, $key: name } : { $key: name, value },
  )
}
