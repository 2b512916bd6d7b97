import type { Oid, PathChange } from '../api.ts'

/** One commit a record: the mark, its id, and what it changed. */
export const PUSHED_OPTIONS = ['-z', '--format=%x01%H', '--raw', '-c', '--root', '--no-abbrev', '--no-renames', '--no-color'] as const

export interface RawChange extends PathChange {
  readonly mode: string
}
export interface RawCommit {
  readonly sha: Oid
  readonly changes: readonly RawChange[]
}

/** All of `git log` with `PUSHED_OPTIONS`; of an output that was cut off, its last token is left out. */
export function readPushedLog(output: string): readonly RawCommit[] {
  const commits: { sha: Oid; changes: RawChange[] }[] = []
  let meta: string | undefined
  for (const raw of output.split('\0').slice(0, -1)) {
    if (meta !== undefined) {
      commits.at(-1)?.changes.push(changeOf(meta, raw))
      meta = undefined
      continue
    }
    const token = raw.replace(/^\n+/, '')
    if (token.startsWith('\u0001')) commits.push({ sha: token.slice(1, 41), changes: [] })
    else if (token.startsWith(':')) meta = token
  }
  return commits
}

/** `:<mode> <mode> <blob> <blob> M`; of a merge one mode and one blob more for each parent, and a letter for each: `MM`. */
function changeOf(meta: string, path: string): RawChange {
  const parents = /^:+/.exec(meta)?.[0].length ?? 1
  const fields = meta.slice(parents).split(' ')
  const mode = fields[parents] ?? ''
  const blob = fields[2 * parents + 1] ?? ''
  const letters = fields[2 * parents + 2] ?? ''
  if (/^0+$/.test(mode)) return { status: 'D', path, mode: fields[0] ?? '', blob: fields[parents + 1] ?? '' }
  return { status: /^A+$/.test(letters) ? 'A' : letters.includes('T') ? 'T' : 'M', path, mode, blob }
}
