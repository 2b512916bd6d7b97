import type { Group, GroupQuery } from '@gateway/sdk'
import { checkField, compareValues, type Scalar } from '@gateway/storage'
import type { Document } from 'mongodb'
import { at } from './layout.ts'

type AnyGroup = GroupQuery<Record<string, unknown>>

export function checkGroup({ by, sum = [] }: AnyGroup): void {
  for (const field of [...by, ...sum]) checkField(field)
}

/** Members of the group's key are numbered, because a field's name may be anything. */
export function groupPipeline({ by, sum = [] }: AnyGroup): Document[] {
  const key = by.length === 0 ? null : Object.fromEntries(by.map((field, i) => [`k${i}`, `$${at(field)}`]))
  const sums = Object.fromEntries(sum.map((field, i) => [`s${i}`, { $sum: `$${at(field)}` }]))
  return [{ $group: { _id: key, count: { $sum: 1 }, ...sums } }]
}

export function groupsOf({ by, sum = [] }: AnyGroup, rows: readonly Document[]): readonly Group[] {
  const groups = rows.map((row) => ({
    // An absent field leaves its member out.
    key: by.map((_, i) => ((row._id as Document | null)?.[`k${i}`] ?? null) as Scalar | null),
    count: row.count as number,
    sums: Object.fromEntries(sum.map((field, i) => [field, row[`s${i}`] as number])),
  }))
  return groups.sort((a, b) => compareKeys(a.key, b.key))
}

function compareKeys(a: Group['key'], b: Group['key']): number {
  for (const [i, value] of a.entries()) {
    const difference = compareValues(value, b[i])
    if (difference !== 0) return difference
  }
  return 0
}
