import { isAbsolute } from 'node:path'
import { defined, textTest } from '@gateway/sdk'
import { NAME, PATH, REMOTE } from '../schema.ts'
import { parseJson } from './json-fault.ts'

export interface ManagedRepo {
  readonly name: string
  readonly path: string
  readonly group?: string
  readonly gitRemote?: string
}

export type Parsed = { readonly repos: readonly ManagedRepo[]; readonly raw: readonly object[] } | Fault
interface Fault {
  readonly place?: string
  readonly fault: string
}

type Field = keyof ManagedRepo
interface Expectation {
  readonly optional?: true
  readonly holds: (value: string) => boolean
  readonly expected: string
}

const absolute = textTest(PATH)
const FIELDS: Readonly<Record<Field, Expectation>> = {
  name: { holds: textTest(NAME), expected: 'the name of a folder' },
  path: { holds: (path) => absolute(path) && isAbsolute(path), expected: 'an absolute path without ..' },
  group: { optional: true, holds: () => true, expected: 'a string' },
  gitRemote: { optional: true, holds: textTest(REMOTE), expected: 'the address of a git repo, without a password' },
}

/**
 * Parses the list as its file holds it: `[{"name", "path", "group"?, "gitRemote"?}]`. Further fields belong to other programs:
 * they are kept in `raw`. The first fault is returned with its place.
 */
export function parseManagedRepos(text: string): Parsed {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''))
  if ('fault' in parsed) return parsed
  if (!Array.isArray(parsed.value)) return { fault: `expected an array of {"name", "path"}; got ${kindOf(parsed.value)}` }
  const places = new Map<string, number>()
  const repos: ManagedRepo[] = []
  for (const [at, entry] of (parsed.value as unknown[]).entries()) {
    const fault = faultOf(entry, at)
    if (fault) return fault
    const { name, path, group, gitRemote } = entry as ManagedRepo
    const first = places.get(name)
    if (first !== undefined) return { place: `[${at}].name`, fault: `must be unique; [${first}] is ${JSON.stringify(name)} too` }
    places.set(name, at)
    repos.push({ name, path, ...defined({ group, gitRemote }) })
  }
  return { repos, raw: parsed.value as object[] }
}

function faultOf(entry: unknown, at: number): Fault | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return { place: `[${at}]`, fault: `expected an object; got ${kindOf(entry)}` }
  for (const [field, { optional, holds, expected }] of Object.entries(FIELDS)) {
    const value = (entry as Record<string, unknown>)[field]
    if (value === undefined && optional) continue
    if (typeof value !== 'string' || !holds(value)) return { place: `[${at}].${field}`, fault: `expected ${expected}` }
  }
  return undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Returns the list with these repos in it: each replaces the entry of its name, whose further fields stay. */
export function withRepos(raw: readonly object[], repos: readonly ManagedRepo[]): object[] {
  const list = [...raw]
  for (const repo of repos) {
    const at = list.findIndex((one) => (one as ManagedRepo).name === repo.name)
    if (at < 0) list.push({ ...repo })
    else list[at] = { ...list[at], ...repo }
  }
  return list
}
