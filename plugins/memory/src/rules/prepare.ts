import { defined } from '@gateway/sdk'
import type { MemoryRecord } from '../schema.ts'
import { contentHash } from './content-hash.ts'
import { corpusWords, MEMORY } from './corpus-words.ts'
import { spokenDate } from './dates.ts'
import { labelsOf, threadOf } from './labels.ts'
import { indexWords } from './words.ts'

export type Draft = Pick<MemoryRecord, 'id' | 'corpus' | 'content' | 'createdAt' | 'storedAs'> & {
  readonly [K in
    | 'repo'
    | 'source'
    | 'sessionId'
    | 'title'
    | 'occurredAt'
    | 'validUntil'
    | 'supersedes'
    | 'supersededBy'
    | 'origin'
    | 'trust'
    | 'alsoRepos'
    | 'alsoSessions']?: MemoryRecord[K] | undefined
} & { readonly [K in 'tags' | 'headings' | 'marks']?: readonly string[] | undefined }

/** Sources whose chunks are blocks of past sessions. */
const SESSION_SOURCES: ReadonlySet<string | undefined> = new Set(['archive', 'handoff', 'brain'])

/** Builds a record with all searchable fields: its words with title, headings, tags and date; neighbours come later. */
export function prepared(draft: Draft): MemoryRecord {
  const { id, corpus, content, createdAt, storedAs, repo, source, sessionId, title, headings } = draft
  const tags = [...new Set(draft.tags)]
  const { occurredAt, validUntil, supersedes, supersededBy, origin, trust, alsoRepos = [], alsoSessions = [] } = draft
  const sessions = sessionId !== undefined || alsoSessions.length > 0 || SESSION_SOURCES.has(source)
  const thread = corpus === MEMORY ? threadOf({ repo, source, tags, sessionId }) : undefined
  return {
    id,
    corpus,
    content,
    hash: contentHash(content),
    ...defined({ repo, source }),
    tags,
    ...defined({ sessionId, thread, title }),
    ...(headings !== undefined && headings.length > 0 && { headings: [...headings] }),
    createdAt,
    ...defined({ occurredAt, validUntil, supersedes, supersededBy, origin, trust }),
    ...(alsoRepos.length > 0 && { alsoRepos: [...alsoRepos] }),
    ...(alsoSessions.length > 0 && { alsoSessions: [...alsoSessions] }),
    storedAs,
    words: wordsOf({ corpus, title, headings, tags, createdAt, content }),
    labels: [
      ...labelsOf({ corpus, repo, source, tags: [...tags, ...(draft.marks ?? [])], sessions }),
      ...alsoRepos.flatMap((other) => labelsOf({ corpus, repo: other, joinedRepo: other })),
    ],
  }
}

/** Returns the words of a record for the text index: its title, headings, tags and date before its content. */
export function wordsOf({
  corpus,
  title,
  headings = [],
  tags = [],
  createdAt,
  content,
}: Pick<Draft, 'corpus' | 'title' | 'headings' | 'tags' | 'createdAt' | 'content'>): string {
  return corpusWords(corpus, indexWords([title, ...headings, ...tags, spokenDate(createdAt), content].filter(Boolean).join('\n')))
}

/** Returns the text of a record that is embedded: its location, its tags, and its content. */
export function embeddedText({ title, headings, tags, content }: Pick<MemoryRecord, 'title' | 'headings' | 'tags' | 'content'>): string {
  const place = [title, ...(headings ?? [])].filter(Boolean).join(' > ')
  return [place, tags.join(', '), content].filter(Boolean).join('\n')
}
