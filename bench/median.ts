/** Returns the middle of an odd number of values; of an even number, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function medians<T extends { readonly [K in keyof T]: number }>(all: readonly T[]): T {
  const fields = Object.keys(all[0] ?? {}) as (keyof T)[]
  return Object.fromEntries(fields.map((field) => [field, median(all.map((one) => one[field]))])) as T
}

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
