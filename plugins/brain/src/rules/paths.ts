import type { AtomKind } from '../schema.ts'
import { repoOf, segmentOf } from './repo-segment.ts'

/*
 * Layout of the repository:
 *
 *   README.md explains the repository to readers with their own git
 *   repos/<namespace>/<session|handoff>/<day>/<stamp>-<slug>-<sha8>.md an atom; a folder per day keeps each tree small
 *   memory/<day>/<stamp>-<slug>-<sha8>.md an atom of all repos
 *   pins/<path of the atom> a marker
 *   stash/<stamp>-<slug>-<sha8>.md a frozen context
 *   BRIEF.md, repos/<namespace>/BRIEF.md, repos/<namespace>/topics/<topic>.md compiled at a merge
 *
 * <namespace> is the segment of a repo: see repo-segment.ts.
 */
const NAME = '[A-Za-z0-9_][A-Za-z0-9._-]*'
const SEGMENT = '[A-Za-z0-9_%][A-Za-z0-9._%-]*'
const LEAF = String.raw`(\d{8}T\d{6}Z)-(${NAME})-([0-9a-f]{8})\.md`
const ATOM = new RegExp(`^(?:repos/(${SEGMENT})/(session|handoff)|memory)/\\d{8}/${LEAF}$`)
const STASH = new RegExp(`^stash/${LEAF}$`)
const COMPILED = new RegExp(`^(?:BRIEF\\.md|repos/${SEGMENT}/(?:BRIEF\\.md|topics/${NAME}\\.md))$`)

export interface Leaf {
  readonly stamp: string
  readonly slug: string
  readonly sha8: string
}
export interface AtomPath extends Leaf {
  readonly kind: AtomKind
  readonly namespace: string
}

/** Formats a time as `YYYYMMDDTHHMMSSZ`. */
export function stampOf(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, '')
}

export function isTime(stamp: string): boolean {
  const time = Date.parse(timeOf(stamp))
  return !Number.isNaN(time) && stampOf(new Date(time)) === stamp
}

/** Returns the time of a stamp, ISO 8601. */
export function timeOf(stamp: string): string {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
}

export function atomPath({ kind, namespace, stamp, slug, sha8 }: AtomPath): string {
  const folder = kind === 'memory' ? 'memory' : `repos/${segmentOf(namespace)}/${kind}`
  return `${folder}/${stamp.slice(0, 8)}/${stamp}-${slug}-${sha8}.md`
}
export const stashPath = ({ stamp, slug, sha8 }: Leaf): string => `stash/${stamp}-${slug}-${sha8}.md`
export const pinPath = (atom: string): string => `pins/${atom}`
export const repoFolder = (namespace: string): string => `repos/${segmentOf(namespace)}`
export const anchorOf = (namespace: string): string => `refs/anchors/${segmentOf(namespace)}`
export const briefPath = (namespace: string): string => `${repoFolder(namespace)}/BRIEF.md`
export const topicFolder = (namespace: string): string => `${repoFolder(namespace)}/topics`
export const topicPath = (namespace: string, topic: string): string => `${topicFolder(namespace)}/${topic}.md`
export const BOOT_BRIEF = 'BRIEF.md'

export function readAtomPath(path: string): AtomPath | undefined {
  const [, segment = '', kind = 'memory', stamp = '', slug = '', sha8 = ''] = ATOM.exec(path) ?? []
  return stamp === '' ? undefined : { kind: kind as AtomKind, namespace: repoOf(segment), stamp, slug, sha8 }
}
export function readStashPath(path: string): Leaf | undefined {
  const [, stamp = '', slug = '', sha8 = ''] = STASH.exec(path) ?? []
  return stamp === '' ? undefined : { stamp, slug, sha8 }
}
export function pinnedPath(path: string): string | undefined {
  return path.startsWith('pins/') && readAtomPath(path.slice(5)) ? path.slice(5) : undefined
}
export const isCompiled = (path: string): boolean => COMPILED.test(path)
export function segmentIn(path: string): string | undefined {
  return /^repos\/([^/]+)\//.exec(path)?.[1]
}
export function topicIn(path: string): string | undefined {
  return /^repos\/[^/]+\/topics\/([^/]+)\.md$/.exec(path)?.[1]
}
