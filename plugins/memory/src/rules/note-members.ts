import { cutText, defined } from '@gateway/sdk'
import { CHUNK_SOURCES, MAX_TAGS, type MemorySource, SOURCES } from '../schema.ts'
import { isoTime } from './iso-time.ts'

export interface NoteMembers {
  readonly source?: MemorySource
  readonly repo?: string
  readonly tags?: readonly string[]
  readonly sessionId?: string
  readonly title?: string
  readonly headings?: readonly string[]
  readonly createdAt?: string
  readonly alsoRepos?: readonly string[]
  readonly alsoSessions?: readonly string[]
  readonly occurredAt?: string
  readonly validUntil?: string
  readonly supersedes?: string
  readonly supersededBy?: string
  /** Origin of text from outside. */
  readonly origin?: string
}
export interface ReadNote {
  readonly members: NoteMembers
  /** SHA-256 of the content, in files of our own export. */
  readonly hash?: string
  /** Names of members that are not kept. */
  readonly ignored: readonly string[]
}

const MAX_TEXT = 200
/** Names of a member in notes of other programs. The first that exists counts. */
const TIMES = ['createdAt', 'created', 'created_at', 'date', 'datetime', 'published', 'updated', 'modified']
const TITLES = ['title', 'name']
const TAGS = ['tags', 'tag', 'keywords', 'categories', 'category', 'topics']

/**
 * Reads the members of a note, or returns the reason for a refusal. A member that a chunk does not have, or has in another
 * form, becomes a tag such as `status:draft`; one that makes no tag is named in `ignored`.
 */
export function readNote(head: Readonly<Record<string, unknown>>): ReadNote | { readonly reason: string } {
  const reason = faultOf(head)
  if (reason !== undefined) return { reason }
  const left = new Map(Object.entries(head))
  const hash = take(left, ['hash'], (value) => (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : undefined))
  const members = {
    source: take(left, ['source'], (value) => SOURCES.find((one) => one === value)),
    repo: take(left, ['repo'], nameOf),
    sessionId: take(left, ['sessionId'], nameOf),
    title: take(left, TITLES, titleOf),
    headings: take(left, ['headings'], textsOf)?.slice(0, MAX_TAGS),
    createdAt: take(left, TIMES, timeOf),
    alsoRepos: take(left, ['alsoRepos'], textsOf)?.slice(0, MAX_TAGS),
    alsoSessions: take(left, ['alsoSessions'], textsOf)?.slice(0, MAX_TAGS),
    occurredAt: take(left, ['occurredAt'], timeOf),
    validUntil: take(left, ['validUntil'], timeOf),
    supersedes: take(left, ['supersedes'], chunkIdIn),
    supersededBy: take(left, ['supersededBy'], chunkIdIn),
    ...(take(left, ['trust'], (value) => (value === 'outside' ? value : undefined)) && {
      origin: take(left, ['origin'], nameOf) ?? 'import',
    }),
  }
  const own = TAGS.flatMap((name) => take(left, [name], textsOf) ?? [])
  const { tags, ignored } = withTags(own, left)
  return { members: defined({ ...members, ...(tags.length > 0 && { tags }) }), ...defined({ hash }), ignored }
}

/** Refuses members that only our own files have, if their values are impossible for a chunk. */
function faultOf({ source, createdAt }: Readonly<Record<string, unknown>>): string | undefined {
  if (CHUNK_SOURCES.some((one) => one === source) && !SOURCES.some((one) => one === source))
    return `source must be one of ${SOURCES.join(', ')}; got ${JSON.stringify(source)}`
  if (createdAt !== undefined && timeOf(createdAt) === undefined)
    return `createdAt must be a time in ISO 8601; got ${cutText(JSON.stringify(createdAt), 100)}`
  return undefined
}

/** Takes the first of the names whose value can be read, ignoring case. */
function take<T>(left: Map<string, unknown>, names: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const wanted of names)
    for (const [name, value] of left) {
      const found = name.toLowerCase() === wanted.toLowerCase() ? read(value) : undefined
      if (found === undefined) continue
      left.delete(name)
      return found
    }
  return undefined
}

/** Adds the other members to the tags of the note, as far as there is room. */
function withTags(own: readonly string[], left: ReadonlyMap<string, unknown>) {
  const tags = new Set(own.slice(0, MAX_TAGS))
  const ignored = own.length > MAX_TAGS ? ['tags'] : []
  for (const [name, value] of left) {
    if ([value].flat().every((one) => one === null || one === '')) continue
    const texts = (textsOf(value) ?? []).map((text) => `${name}:${text}`)
    const fits = texts.length > 0 && tags.size + texts.length <= MAX_TAGS && texts.every((text) => text.length <= MAX_TEXT)
    if (fits) for (const text of texts) tags.add(text)
    else ignored.push(name)
  }
  return { tags: [...tags], ignored }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Reads a list of short texts, or one text with commas between them. */
function textsOf(value: unknown): readonly string[] | undefined {
  const given = typeof value === 'string' ? value.split(',').map((one) => one.trim().replace(/^#(?=\S)/, '')) : [value].flat()
  const texts = given.filter((one) => one !== '').map(textOf)
  const isRead = texts.length > 0 && texts.every((text) => text !== undefined && text.length <= MAX_TEXT)
  return isRead ? (texts as string[]) : undefined
}

function titleOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : cutText(text, MAX_TEXT)
}

function nameOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined || text.length > MAX_TEXT ? undefined : text
}

const chunkIdIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^mem-[0-9a-f]{40}$/.test(value) ? value : undefined

const timeOf = (value: unknown): string | undefined => isoTime(textOf(value) ?? '')
