import { createHash } from 'node:crypto'

/** Part of a ref or of a path, without characters that git or a file system treats specially. */
const SEGMENT = /^[A-Za-z0-9_%](?:[A-Za-z0-9._%-]{0,198}[A-Za-z0-9_%-])?$/
const REF = /^refs\/(?:heads\/(?:main|(?:session|idea)\/([^/]+))|anchors\/([^/]+))$/
const OID = /^[0-9a-f]{40}$/
const MAX_PATH = 600

/** Further rules for a part of a ref: no `..`, and not the name of a lock. */
function isSegment(text: string): boolean {
  return SEGMENT.test(text) && !text.includes('..') && !text.toLowerCase().endsWith('.lock') && text.toLowerCase() !== '.git'
}

export function isRef(text: string): boolean {
  const found = REF.exec(text)
  return found !== null && isSegment(found[1] ?? found[2] ?? 'main')
}

export const isOid = (text: string): boolean => OID.test(text)
export const isPrefix = (text: string): boolean => /^[0-9a-f]{4,40}$/.test(text)

/** Throws for anything else than object ids: a bug in the calling plugin, not a fault of the external caller. */
export function checkOids(...oids: readonly (string | undefined)[]): void {
  for (const oid of oids)
    if (oid === undefined || !isOid(oid)) throw new Error(`expected an object id of 40 hexadecimal digits; got ${JSON.stringify(oid)}`)
}

export function isPath(text: string): boolean {
  return text.length <= MAX_PATH && text.split('/').every(isSegment)
}

/** True for a path that may be read: relative, without `..`, `.`, empty parts and control characters. It is taken literally. */
export function isAskedPath(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  if (text === '' || text.length > MAX_PATH || /[\u0000-\u001f\u007f]/.test(text)) return false
  return text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Returns the folder of a repository: its name if that is plain, else a hash that no plain name resembles. */
export function folderName(name: string): string {
  if (/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/.test(name) && !name.includes('..')) return `${name}.git`
  return `~${createHash('sha256').update(name).digest('hex').slice(0, 32)}.git`
}

/** Git's null commit id, for a missing end of a range. */
export const ZERO = '0'.repeat(40)
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
