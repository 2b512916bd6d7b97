import type { Oid, PathChange } from '../api.ts'

/** Each commit is a record: the mark, its id, and its changes. */
export const PUSHED_OPTIONS = ['-z', '--format=%x01%H', '--raw', '-c', '--root', '--no-abbrev', '--no-renames', '--no-color'] as const

export interface RawChange extends PathChange {
  readonly mode: string
}
export interface RawCommit {
  readonly sha: Oid
  readonly changes: readonly RawChange[]
}

/** Reads `git log` with `PUSHED_OPTIONS` while it arrives, and yields it in pieces with a limit on changes and commits. */
export class PushedLogReader {
  readonly #most: number
  #rest = ''
  #meta: string | undefined
  #sha = ''
  #piece: { sha: Oid; changes: RawChange[] }[] = []
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  *read(text: string): Iterable<readonly RawCommit[]> {
    const tokens = (this.#rest + text).split('\0')
    this.#rest = tokens.pop() as string
    for (const token of tokens) {
      this.#token(token)
      if (this.#size >= this.#most) yield this.#take()
    }
  }

  *end(): Iterable<readonly RawCommit[]> {
    if (this.#rest !== '') this.#token(this.#rest)
    if (this.#piece.length > 0) yield this.#take()
  }

  #take(): readonly RawCommit[] {
    const piece = this.#piece
    this.#piece = []
    this.#size = 0
    return piece
  }

  #token(raw: string): void {
    if (this.#meta !== undefined) {
      if (this.#piece.at(-1)?.sha !== this.#sha) this.#piece.push({ sha: this.#sha, changes: [] })
      this.#piece.at(-1)?.changes.push(changeOf(this.#meta, raw))
      this.#meta = undefined
      this.#size++
      return
    }
    const token = raw.replace(/^\n+/, '')
    if (token.startsWith(':')) this.#meta = token
    else if (token.startsWith('\u0001')) {
      this.#sha = token.slice(1, 41)
      this.#piece.push({ sha: this.#sha, changes: [] })
      this.#size++
    }
  }
}

/** Parses `:<mode> <mode> <blob> <blob> M`; a merge has one mode and one blob more per parent, and a letter for each: `MM`. */
function changeOf(meta: string, path: string): RawChange {
  const parents = /^:+/.exec(meta)?.[0].length ?? 1
  const fields = meta.slice(parents).split(' ')
  const mode = fields[parents] ?? ''
  const blob = fields[2 * parents + 1] ?? ''
  const letters = fields[2 * parents + 2] ?? ''
  if (/^0+$/.test(mode)) return { status: 'D', path, mode: fields[0] ?? '', blob: fields[parents + 1] ?? '' }
  return { status: /^A+$/.test(letters) ? 'A' : letters.includes('T') ? 'T' : 'M', path, mode, blob }
}
