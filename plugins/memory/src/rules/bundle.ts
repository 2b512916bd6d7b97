import type { FrontMatter } from '@gateway/sdk/front-matter'
import { MAX_CONTENT, type MemoryRecord, type MemorySource } from '../schema.ts'
import { contentHash } from './content-hash.ts'
import { type NoteMembers, readNote } from './note-members.ts'

export const BUNDLE_VERSION = 1

export interface BundleFile {
  readonly path: string
  readonly content: string
}
export interface Entry extends NoteMembers {
  readonly content: string
  readonly source: MemorySource
}
export type ReadFile =
  | { readonly entry: Entry; readonly hashMatches: boolean; readonly ignored: readonly string[] }
  | { readonly reason: string }

/** Members at the start of a file; each is JSON, on its own line. */
const MEMBERS = [
  'repo',
  'alsoRepos',
  'source',
  'tags',
  'sessionId',
  'alsoSessions',
  'title',
  'headings',
  'createdAt',
  'occurredAt',
  'validUntil',
  'supersedes',
  'supersededBy',
  'origin',
  'trust',
  'hash',
] as const

/** Writes a chunk as a file: its members, then its content unchanged. */
export function fileOf(record: MemoryRecord): BundleFile {
  const head = MEMBERS.flatMap((name) => (record[name] === undefined ? [] : [`${name}: ${JSON.stringify(record[name])}`]))
  const folder = record.repo === undefined ? '_' : encodeURIComponent(record.repo)
  return { path: `${folder}/${record.source}/${record.id}.md`, content: `---\n${head.join('\n')}\n---\n\n${record.content}` }
}

/**
 * Reads a file back as a chunk, or returns the reason why it is not one. A file without front matter is only content, with the
 * source `archive`. Windows line ends become plain ones, unless the content matches the hash in the file.
 */
export function entryOf({ content: text }: BundleFile, read: (text: string) => FrontMatter): ReadFile {
  const { head = {}, body, fault } = read(text)
  if (fault !== undefined) return { reason: fault }
  if (body.trim() === '') return { reason: 'it has no content' }
  const note = readNote(head)
  if ('reason' in note) return note
  const { hash, ignored } = note
  const plain = /(?<!\r)\n/.test(text) ? body : body.replaceAll('\r\n', '\n')
  const content = hash === undefined || hash !== contentHash(body) ? plain : body
  if (content.length > MAX_CONTENT) return { reason: `its content must have at most ${MAX_CONTENT} characters; got ${content.length}` }
  const entry = { source: 'archive' as const, ...note.members, content }
  return { entry, hashMatches: hash === undefined || hash === contentHash(content), ignored }
}
