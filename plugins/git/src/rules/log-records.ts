import type { CommitChanges, PathChange } from '../api.ts'

/** Fields of a commit between unit separators, after a mark that begins a record; subjects hold neither. */
const LOG_FORMAT = '--format=%x01%H%x1f%P%x1f%cd%x1f%s'
/** Used with `LOG_FORMAT`: dates in UTC, unquoted paths. */
export const LOG_OPTIONS = ['-z', LOG_FORMAT, '--date=format-local:%Y-%m-%dT%H:%M:%S.000Z', '--no-color', '--no-show-signature'] as const
export const RAW_OPTIONS = ['--raw', '--no-abbrev', '--no-renames'] as const

type Open = { commit: Omit<CommitChanges, 'changes'>; changes: PathChange[] }

/** Reads `git log -z --raw` piece by piece: tokens between NULs, a commit, or the two tokens of a change. */
export class LogReader {
  #rest = ''
  #open: Open | undefined
  #meta: string | undefined;

  *read(text: string): Iterable<CommitChanges> {
    const tokens = (this.#rest + text).split('\0')
    this.#rest = tokens.pop() as string
    for (const token of tokens) yield* this.#token(token)
  }

  *end(): Iterable<CommitChanges> {
    yield* this.#token(this.#rest)
    if (this.#open) yield { ...this.#open.commit, changes: this.#open.changes }
    this.#open = undefined
  }

  *#token(raw: string): Iterable<CommitChanges> {
    if (this.#meta !== undefined) {
      this.#open?.changes.push(...pathChange(this.#meta, raw))
      this.#meta = undefined
      return
    }
    const token = raw.replace(/^\n+/, '')
    if (token.startsWith('\u0001')) {
      if (this.#open) yield { ...this.#open.commit, changes: this.#open.changes }
      const [sha = '', parents = '', at = '', subject = ''] = token.slice(1).split('\u001f')
      this.#open = { commit: { sha, parents: parents === '' ? [] : parents.split(' '), at, subject: subject.trim() }, changes: [] }
    } else if (token.startsWith(':')) this.#meta = token
  }
}

const SUBMODULE = '160000'

/** Parses `:100644 100644 <blob> <blob> M` and its path. */
function* pathChange(meta: string, path: string): Iterable<PathChange> {
  const [beforeMode, afterMode, before = '', after = '', status = ''] = meta.split(' ')
  // A submodule names a commit elsewhere: the repository has no object to read for it.
  if (beforeMode === `:${SUBMODULE}` || afterMode === SUBMODULE) return
  const letter = status[0]
  if (letter === 'A' || letter === 'M' || letter === 'T') yield { status: letter, path, blob: after }
  if (letter === 'D') yield { status: 'D', path, blob: before }
}

/** Parses the whole output of `git diff-tree -z --raw`. */
export function readRaw(text: string): readonly PathChange[] {
  const tokens = text.split('\0')
  return tokens.flatMap((token, at) => (token.startsWith(':') && at % 2 === 0 ? [...pathChange(token, tokens[at + 1] ?? '')] : []))
}
