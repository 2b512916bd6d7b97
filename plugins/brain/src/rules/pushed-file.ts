import type { PushedChange } from '@gateway/plugin-git/api'
import { MAX_CONTENT } from '../schema.ts'
import { type FrontMatter, MAX_FRONT, parseAtom } from './atom-file.ts'
import { isName, isRepo, isTopic } from './names.ts'
import { type AtomPath, isCompiled, isTime, type Leaf, pinnedPath, readAtomPath, readStashPath, segmentIn, topicIn } from './paths.ts'
import { isHashed, repoOf, segmentOf } from './repo-segment.ts'

/** Git's mode of a plain file; links, programs and submodules have others. */
const PLAIN = '100644'
/** Maximum bytes of an atom or a stash: the characters that a commit accepts, as UTF-8, and the front matter. */
export const MAX_ATOM_BYTES = 3 * MAX_CONTENT + MAX_FRONT
/** Maximum bytes of any other file: a brief, a topic, the README. */
const MAX_OTHER_BYTES = 1_024 * 1_024
const MAX_PIN_BYTES = 4_096
/** Maximum bytes of all files of one push. */
export const MAX_UNPACKED_BYTES = 1_024 * 1_024 * 1_024
/** Bytes at the beginning of a text that contain its front matter. */
export const HEAD_BYTES = MAX_FRONT + 1_024
const MAX_SHAS = 200
const SHA = /^[0-9a-f]{7,64}$/i

/** Returns why a pushed file is refused, from its name, mode, size and id alone. */
export function fileFault({ path, mode, size, blob }: PushedChange): string | undefined {
  if (!isKnown(path)) return `${path} has no place in a brain: see its README.md.`
  if (mode !== PLAIN || size === undefined) return `${path} must be a plain file (mode ${PLAIN}); got mode ${mode}.`
  const most = isText(path) ? MAX_ATOM_BYTES : pinnedPath(path) === undefined ? MAX_OTHER_BYTES : MAX_PIN_BYTES
  if (size > most) return `${path} must be at most ${most} bytes; got ${size}.`
  const leaf = readAtomPath(path) ?? readStashPath(path)
  return nameFault(path) ?? (leaf && leafFault(path, leaf, blob))
}

/** Checks that the repo and the topic of a path are spelled the way a commit would spell them. */
function nameFault(path: string): string | undefined {
  const segment = segmentIn(path)
  if (segment !== undefined && !isSegment(segment)) return `${path} must lie in the folder of a repo as a commit names it; got ${segment}.`
  const topic = topicIn(path)
  return topic === undefined || isTopic(topic)
    ? undefined
    : `${path} must be named after a topic of at most 60 letters, digits, \`.\`, \`_\` and \`-\`; got ${topic}.`
}

const isSegment = (segment: string): boolean => isHashed(segment) || (isRepo(repoOf(segment)) && segmentOf(repoOf(segment)) === segment)

function leafFault(path: string, { stamp, slug, sha8 }: Leaf, blob: string): string | undefined {
  if (!isTime(stamp)) return `${path} must begin with a time in UTC, YYYYMMDDTHHMMSSZ; got ${stamp}.`
  const day = path.split('/').at(-2)
  if (readAtomPath(path) && day !== stamp.slice(0, 8)) return `${path} must lie in the folder of its day, ${stamp.slice(0, 8)}; got ${day}.`
  if (slug.length > 80 || !isName(slug))
    return `${path} must have a slug of at most 80 letters, digits, \`.\`, \`_\` and \`-\`; got ${slug}.`
  return blob.startsWith(sha8) ? undefined : `${path} must end with the first 8 digits of its blob, ${blob.slice(0, 8)}; got ${sha8}.`
}

/** True if the text of a file is judged in addition to its name. */
export const isText = (path: string): boolean => (readAtomPath(path) ?? readStashPath(path)) !== undefined

/** Returns why the text of a pushed atom or stash is refused. `text` may be cut after its front matter if `isCut`. */
export function textFault(path: string, text: string, isCut: boolean): string | undefined {
  const { front, content } = parseAtom(text)
  if (!isCut && content.trim() === '') return `${path} must not be blank; got only blanks.`
  if (content.length > MAX_CONTENT) return `${path} must have at most ${MAX_CONTENT} characters of content; got ${content.length}.`
  const atom = readAtomPath(path)
  return atom ? frontFault(path, front, atom) : undefined
}

/** Front matter may be left out; if present, it must be the same that a commit would have written. */
function frontFault(path: string, front: FrontMatter, { kind, namespace, slug }: AtomPath): string | undefined {
  const segment = segmentIn(path)
  const wrong = (field: string, expected: string, got: unknown): string =>
    `${path}: \`${field}\` must be ${expected}; got ${JSON.stringify(got)}.`
  if (front.kind !== undefined && front.kind !== kind) return wrong('kind', `${kind}, as the path says`, front.kind)
  if (front.slug !== undefined && front.slug !== slug) return wrong('slug', `${slug}, as the path says`, front.slug)
  if (segment === undefined && front.repo !== undefined) return wrong('repo', 'omitted from a memory, which belongs to no repo', front.repo)
  if (front.repo === undefined ? isHashed(segment ?? '') : segmentOf(front.repo) !== segment)
    return wrong('repo', `${namespace}, as the path says`, front.repo)
  const { topic, created, supersedes, code_sha, code_commits = [] } = front
  if (topic !== undefined && !isTopic(topic)) return wrong('topic', 'at most 60 letters, digits, `.`, `_` and `-`', topic)
  if (created !== undefined && !isCreated(created)) return wrong('created', 'a time in UTC, ISO 8601', created)
  if (supersedes !== undefined && !readAtomPath(supersedes)) return wrong('supersedes', 'the path of an atom', supersedes)
  const bad = [code_sha, ...code_commits].find((sha) => sha !== undefined && !SHA.test(sha))
  if (bad !== undefined) return wrong('code_sha', '7 to 64 hex digits', bad)
  return code_commits.length > MAX_SHAS ? wrong('code_commits', `at most ${MAX_SHAS} commits`, code_commits.length) : undefined
}

const isCreated = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))

const isKnown = (path: string): boolean => path === 'README.md' || isCompiled(path) || isText(path) || pinnedPath(path) !== undefined
