import type { Record } from '../schema.ts'
import { MAX_CONTENT, MAX_TAGS, type MemorySource, SOURCES } from '../schema.ts'
import { contentHash } from './content-hash.ts'

/** Of the form of files in an export. */
export const BUNDLE_VERSION = 1

export interface BundleFile {
  readonly path: string
  readonly content: string
}
/** A chunk that was read from a file. */
export interface Entry {
  readonly content: string
  readonly source: MemorySource
  readonly repo?: string
  readonly tags?: readonly string[]
  readonly sessionId?: string
  readonly title?: string
  readonly headings?: readonly string[]
  readonly createdAt?: string
}
export type ReadFile = { readonly entry: Entry; readonly hashMatches: boolean } | { readonly reason: string }

/** The members that a file begins with; each is JSON, in a line of its own. */
const MEMBERS = ['repo', 'source', 'tags', 'sessionId', 'title', 'headings', 'createdAt', 'hash'] as const
const HEAD = /^---\n([\s\S]*?)\n---\n\n?/

/** A chunk as a file: what is known of it, then its content as it is. */
export function fileOf(record: Record): BundleFile {
  const head = MEMBERS.flatMap((name) => (record[name] === undefined ? [] : [`${name}: ${JSON.stringify(record[name])}`]))
  const folder = record.repo === undefined ? '_' : encodeURIComponent(record.repo)
  return { path: `${folder}/${record.source}/${record.id}.md`, content: `---\n${head.join('\n')}\n---\n\n${record.content}` }
}

/** A file back to a chunk, or why it is none. A file without a head is one with content alone, of source `archive`. */
export function entryOf({ content: text }: BundleFile): ReadFile {
  const head = HEAD.exec(text)
  const content = head ? text.slice(head[0].length) : text
  if (content.trim() === '') return { reason: 'it has no content' }
  if (content.length > MAX_CONTENT) return { reason: `its content is longer than ${MAX_CONTENT} characters` }
  const members: { [name: string]: unknown } = {}
  for (const line of head?.[1]?.split('\n') ?? []) {
    const [, name, json] = /^([A-Za-z]+): (.*)$/.exec(line) ?? []
    if (name === undefined) return { reason: `its head has a line that is no "name: JSON": ${JSON.stringify(line.slice(0, 100))}` }
    try {
      members[name] = JSON.parse(json as string)
    } catch {
      return { reason: `${name} is no JSON` }
    }
  }
  const { hash, ...rest } = members
  const fault = faultOf(rest)
  if (fault) return { reason: fault }
  const { source = 'archive', ...known } = Object.fromEntries(Object.entries(rest).filter(([name]) => MEMBERS.includes(name as 'repo')))
  const entry = { ...known, source, content } as Entry
  return { entry, hashMatches: hash === undefined || hash === contentHash(content) }
}

function faultOf({ source, repo, tags, sessionId, title, headings, createdAt }: { readonly [name: string]: unknown }): string | undefined {
  if (source !== undefined && !SOURCES.includes(source as MemorySource)) return `source is none of ${SOURCES.join(', ')}`
  for (const [name, text] of Object.entries({ repo, sessionId, title }))
    if (text !== undefined && !isText(text)) return `${name} is no text of 1 to 200 characters`
  for (const [name, list] of Object.entries({ tags, headings }))
    if (list !== undefined && !(Array.isArray(list) && list.length <= MAX_TAGS && list.every(isText)))
      return `${name} is no list of at most ${MAX_TAGS} texts`
  if (createdAt !== undefined && !isTime(createdAt)) return 'createdAt is no time in ISO 8601, UTC with milliseconds'
  return undefined
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length >= 1 && value.length <= 200
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
