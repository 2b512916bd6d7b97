import { MAX_TAGS, type MemoryRecord } from '../schema.ts'
import { type Draft, prepared } from './prepare.ts'

/** Maximum number of further repos, and of further sessions, of one content. */
export const MAX_JOINED = 50

/**
 * Returns what a repeated draft changes in the stored record: it is found in the draft's repo, by its tags and as part of its
 * session too; a later time of validity counts; text that also came from outside keeps the lowest trust. Empty when nothing
 * changes.
 */
export function joined(record: MemoryRecord, draft: Draft): Partial<MemoryRecord> {
  const tags = [...new Set([...record.tags, ...(draft.tags ?? [])])].slice(0, MAX_TAGS)
  const alsoRepos = withAll(record.alsoRepos, [draft.repo, ...(draft.alsoRepos ?? [])], record.repo)
  const alsoSessions = withAll(record.alsoSessions, [draft.sessionId, ...(draft.alsoSessions ?? [])], record.sessionId)
  const { occurredAt, validUntil, trust, origin } = draft
  const times = { ...(occurredAt !== undefined && { occurredAt, createdAt: occurredAt }), ...(validUntil !== undefined && { validUntil }) }
  const outside = trust === 'outside' && record.trust === undefined && { trust, ...(origin !== undefined && { origin }) }
  const { words, labels, createdAt } = prepared({ ...record, ...times, tags, alsoRepos: [...alsoRepos], alsoSessions: [...alsoSessions] })
  const isSame = words === record.words && labels.length === record.labels.length && labels.every((label) => record.labels.includes(label))
  const joins = {
    tags,
    words,
    labels,
    createdAt,
    ...(alsoRepos.length > 0 && { alsoRepos: [...alsoRepos] }),
    ...(alsoSessions.length > 0 && { alsoSessions: [...alsoSessions] }),
  }
  const hasSameSessions = alsoSessions.length === (record.alsoSessions ?? []).length
  return { ...(isSame && hasSameSessions ? {} : joins), ...times, ...outside }
}

function withAll(known: readonly string[] = [], more: readonly (string | undefined)[], first: string | undefined): readonly string[] {
  const fresh = more.filter((one) => one !== undefined && one !== first && !known.includes(one)) as readonly string[]
  return fresh.length === 0 ? known : [...new Set([...known, ...fresh])].slice(0, MAX_JOINED)
}
