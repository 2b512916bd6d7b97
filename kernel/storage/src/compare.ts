/**
 * The order of values in filters and sorts: null and absent first, then numbers (false is 0, true is 1), then strings by code
 * point. JavaScript's own `<` compares UTF-16 units, which puts U+1F600 before U+FB01.
 */
export function compareValues(a: unknown, b: unknown): number {
  const left = comparable(a)
  const right = comparable(b)
  const byType = rank(left) - rank(right)
  if (byType !== 0 || left === right) return byType
  if (typeof left === 'number') return left - (right as number)
  return compareText(left as string, right as string)
}

/** True if the two can be ordered: `lt` and the like hold only between values of one type. */
export function sameType(a: unknown, b: unknown): boolean {
  const type = rank(comparable(a))
  return type !== 0 && type === rank(comparable(b))
}

function comparable(value: unknown): string | number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

function rank(value: string | number | null): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}

function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return surrogatesLast(x) - surrogatesLast(y)
  }
  return a.length - b.length
}

/** Surrogates represent code points above U+FFFF, so they sort after the units U+E000 to U+FFFF. */
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
