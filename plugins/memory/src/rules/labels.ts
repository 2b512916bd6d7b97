import { createHash } from 'node:crypto'
import { BoundedMap } from '@gateway/sdk/bounds'

/** Returns the thread of a record: its session, or without one, its tags. */
export function threadOf({
  repo,
  source,
  tags = [],
  sessionId,
}: Omit<Labelled, 'corpus'> & { readonly sessionId?: string | undefined }): string | undefined {
  if (sessionId !== undefined) return `session ${sessionId}`
  if (tags.length === 0) return undefined
  return `tags ${createHash('sha256')
    .update(JSON.stringify([repo, source, tags]))
    .digest('hex')
    .slice(0, 20)}`
}

export interface Labelled {
  readonly corpus: string
  readonly repo?: string | undefined
  readonly source?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly sessions?: boolean | undefined
  /** A further repo that stored the same content. */
  readonly joinedRepo?: string | undefined
}

/**
 * Returns index words that occur in no text: each represents one repo, source or tag. Eighty bits of a hash, so that no two
 * collide.
 */
export function labelsOf({ corpus, repo, source, tags = [], sessions = false, joinedRepo }: Labelled): readonly string[] {
  const label = (kind: 'repo' | 'source' | 'tag' | 'session' | 'joined', value: string): string => labelOf(`${corpus}\0${kind}\0${value}`)
  return [
    ...(repo === undefined ? [] : [label('repo', repo)]),
    ...(source === undefined ? [] : [label('source', source)]),
    ...new Set(tags.map((tag) => label('tag', tag))),
    ...(sessions ? [label('session', '')] : []),
    ...(joinedRepo === undefined ? [] : [label('joined', joinedRepo)]),
  ]
}

/** The same few labels come with chunk after chunk. */
const MAX_LABELS = 10_000
const labels = new BoundedMap<string, string>(MAX_LABELS)

function labelOf(name: string): string {
  const known = labels.get(name)
  if (known !== undefined) return known
  const label = `x${createHash('sha256').update(name).digest('hex').slice(0, 20)}`
  labels.set(name, label)
  return label
}
