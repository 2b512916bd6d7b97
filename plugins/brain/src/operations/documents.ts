import type { IndexedDocument } from '@gateway/plugin-memory/api'
import { cutText, defined, type Infer, repairText } from '@gateway/sdk'
import type { atoms, code, stashes } from '../collections.ts'
import { parseAtom } from '../rules/atom-file.ts'
import { atomDigest } from '../rules/digest.ts'
import { entitiesOf, entityKey } from '../rules/entities.ts'
import { isTopic } from '../rules/names.ts'
import { isTime, readAtomPath, readStashPath, timeOf } from '../rules/paths.ts'
import { isHashed, segmentOf } from '../rules/repo-segment.ts'
import { excerptOf, titleOf } from '../rules/title.ts'
import { type AtomView, GENERAL } from '../schema.ts'
import { branchTag, PAST_SESSION, scopeTag } from './words.ts'

export type AtomDoc = Infer<typeof atoms.schema>
type CodeDoc = Infer<typeof code.schema>
export type StashDoc = Infer<typeof stashes.schema>

const MAX_INDEXED_WORDS = 60_000
const MAX_CODE = 200
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const SHA = /^[0-9a-f]{7,64}$/

export const atomId = (branch: string, path: string): string => `${branch} ${path}`

/** Builds the index entry of an atom from its file alone, so that every copy of the repository yields the same. */
export function indexed(found: { branch: string; path: string; blob: string; commit: string; text: string }, seq: number) {
  const { branch, path, blob, commit, text } = found
  const place = readAtomPath(path)
  if (!place) return undefined
  const { front: written, content } = parseAtom(text)
  // JSON can say what no store takes, such as half of a surrogate pair.
  const front = repairText(written)
  const { kind, slug, sha8, stamp } = place
  const namespace = isHashed(place.namespace) && segmentOf(front.repo ?? '') === place.namespace ? (front.repo as string) : place.namespace
  const codeShas = [...new Set([front.code_sha, ...(front.code_commits ?? [])])]
    .flatMap((sha) => (sha !== undefined && SHA.test(sha) ? [sha] : []))
    .slice(0, MAX_CODE)
  const title = titleOf(content, slug)
  // History may hold topics that no tool commit and no push would accept, and a topic becomes part of paths.
  const topic = front.topic !== undefined && isTopic(front.topic) ? front.topic : GENERAL
  const id = atomId(branch, path)
  const atom: AtomDoc = {
    atomId: id,
    branch,
    path,
    sha8,
    blob,
    commit,
    kind,
    namespace,
    slug,
    topic,
    title,
    excerpt: excerptOf(content),
    at: writtenAt(front.created, stamp),
    seq,
    bytes: Buffer.byteLength(content),
    digest: atomDigest(written, content),
    ...defined({ supersedes: front.supersedes }),
    superseded: false,
    pinned: false,
    ...defined({ writer: front.writer, author: front.author }),
    codeShas,
    entities: entitiesOf(content, [namespace, front.code_repo]).map(entityKey),
    recalls: 0,
  }
  const words: IndexedDocument = {
    id,
    title: `${title} (${slug}, ${topic})`,
    text: cutText(content, MAX_INDEXED_WORDS),
    ...(namespace !== '' && { repo: namespace }),
    tags: [branchTag(branch), topic],
    marks: [scopeTag(branch, namespace), ...(kind === 'memory' ? [] : [PAST_SESSION])],
    createdAt: atom.at,
  }
  const codes: CodeDoc[] = codeShas.map((sha) => ({ codeId: `${sha} ${id}`, sha, atomId: id, branch }))
  return { atom, words, codes }
}

export function stashed(found: { path: string; blob: string; text: string; branch: string }, seq: number): StashDoc | undefined {
  const place = readStashPath(found.path)
  if (!place) return undefined
  const front = repairText(parseAtom(found.text).front)
  const at = writtenAt(front.created, place.stamp)
  return { path: found.path, slug: place.slug, namespace: front.repo ?? '', at, seq, blob: found.blob, branch: found.branch }
}

const BEGIN = '1970-01-01T00:00:00.000Z'

/** Returns the time in the front matter, else that of the name, else one older than all others: never an invalid time. */
function writtenAt(created: string | undefined, stamp: string): string {
  if (created !== undefined && ISO.test(created) && !Number.isNaN(Date.parse(created))) return created
  return isTime(stamp) ? timeOf(stamp) : BEGIN
}

export function viewOf(atom: AtomDoc): AtomView {
  const { path, sha8, kind, namespace, slug, topic, title, at, branch, commit, bytes, supersedes, superseded, pinned } = atom
  const { writer, author } = atom
  return {
    path,
    sha8,
    kind,
    ...(namespace !== '' && { repo: namespace }),
    slug,
    topic,
    title,
    at,
    branch,
    commit,
    bytes,
    ...defined({ supersedes }),
    ...(superseded && { superseded }),
    ...(pinned && { pinned }),
    ...defined({ writer, author }),
  }
}
