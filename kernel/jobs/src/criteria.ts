import type { Filter } from '@gateway/sdk'
import type { JobsQueryOptions, RemoveJobsOptions } from 'agenda'
import type { JobRecord } from './job-record.ts'

/** The records that agenda's criteria name; undefined if they name none, so that nothing is removed instead of everything. */
export function selection(options: RemoveJobsOptions): Filter<JobRecord> | undefined {
  const { id, ids, name, names, notNames, data } = options
  const where: { id?: object; name?: object } = {}
  if (id !== undefined) where.id = { eq: String(id) }
  else if (ids !== undefined) where.id = { in: ids.map(String) }
  if (name !== undefined) where.name = { eq: name }
  else if (names !== undefined) where.name = { in: names }
  else if (notNames !== undefined && notNames.length > 0) where.name = { nin: notNames }
  return Object.keys(where).length === 0 && data === undefined ? undefined : (where as Filter<JobRecord>)
}

/** The records that a query names, except for `data` and `state`, which are not fields. */
export function querySelection({ id, ids, name, names, search, includeDisabled = true }: JobsQueryOptions): Filter<JobRecord> {
  const named = selection({
    ...(id !== undefined && { id }),
    ...(ids && { ids }),
    ...(name !== undefined && { name }),
    ...(names && { names }),
  })
  const and: Filter<JobRecord>[] = []
  if (named) and.push(named)
  if (search) and.push({ name: { contains: search } })
  if (!includeDisabled) and.push({ disabled: { ne: true } })
  return { and }
}

/** True if `data` contains everything wanted: objects by their named members, anything else as a whole. */
export function hasData(data: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true
  if (!isObject(wanted)) return JSON.stringify(data) === JSON.stringify(wanted)
  return isObject(data) && Object.entries(wanted).every(([member, value]) => hasData(data[member], value))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
