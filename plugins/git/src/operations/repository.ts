import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CommitChanges, LogQuery, NewCommit, Repository } from '../api.ts'
import { UNKNOWN_OUTCOME } from '../errors.ts'
import type { inPieces, operations } from '../helper/operations.ts'
import { HelperLost, type HelperProcess } from './helper-process.ts'
import { type PackServer, servePack } from './serve-pack.ts'

type Operations = typeof operations
type Arguments<K extends keyof Operations> = Operations[K] extends (repository: never, ...args: infer A) => unknown ? A : never
type Answered<K extends keyof Operations> = Awaited<ReturnType<Operations[K]>>

type InPieces = typeof inPieces
type PieceArguments<K extends keyof InPieces> = InPieces[K] extends (repository: never, ...args: infer A) => unknown ? A : never
type Piece<K extends keyof InPieces> = ReturnType<InPieces[K]> extends AsyncIterable<infer P> ? P : never

const MAX_FILE = 1_024 * 1_024

/** Opens a tenant repository through the helper. Reads that a dying helper left unanswered are retried once. */
export function repositoryAt(folder: string, helper: HelperProcess, packs?: PackServer): Repository {
  return {
    folder,
    exists,
    async create(first: NewCommit) {
      if (!(await exists())) await changing('create')
      const [main] = await reading('tips', ['refs/heads/main'])
      if (main === undefined) await changing('write', { commits: [first], tips: new Map() })
    },
    async remove() {
      if (await exists()) {
        await changing('remove')
        await rm(folder, { recursive: true, force: true })
      }
      await removeBegun(folder)
    },
    tips: (refs) => reading('tips', refs),
    refs: () => reading('refs'),
    commit: (prefix) => reading('commit', prefix.toLowerCase()),
    file: (commit, path, maxBytes = MAX_FILE) => reading('file', commit, path, maxBytes),
    blobs: (oids, maxBytes) => reading('blobs', oids, maxBytes),
    write: (write) => changing('write', write),
    mergeTree: (ours, theirs) => reading('mergeTree', ours, theirs),
    isAncestor: (ancestor, of) => reading('isAncestor', ancestor, of),
    log: (query) => reading('log', query),
    graph: (query) => reading('graph', query),
    changes: (query) => reading('changes', query),
    history,
    changed: (commit) => reading('changed', commit),
    entries: (commit, paths) => reading('entries', commit, paths),
    list: (commit, path, limit) => reading('list', commit, path, limit),
    diff: (query) => reading('diff', query),
    usage: async () => ((await exists()) ? reading('usage') : { bytes: 0, packs: 0 }),
    check: async () => ((await exists()) ? reading('check') : []),
    pushFacts: (refs, quarantine) => reading('pushFacts', refs, quarantine),
    pushedCommits: (refs, quarantine, reading) => pieces('pushedCommits', refs, quarantine, reading),
    pushedText: (oid, quarantine, maxBytes) => reading('pushedText', oid, quarantine, maxBytes),
    async servePack(request, input, output) {
      if (!packs) throw new Error('this repository is not served')
      // Throws the reason if git is missing or too old.
      await helper.version()
      if ((await servePack(packs, folder, request, input, output)) === 'broken off') void helper.ask('sweep', folder, []).catch(() => {})
    },
  }

  /** Asks the kernel's cache, which costs less than passing the question to a thread and waiting. */
  async function exists(): Promise<boolean> {
    return existsSync(folder)
  }

  async function reading<K extends keyof Operations>(op: K, ...args: Arguments<K>): Promise<Answered<K>> {
    try {
      return (await helper.ask(op, folder, args)) as Answered<K>
    } catch (error) {
      if (!(error instanceof HelperLost)) throw error
      return (await helper.ask(op, folder, args)) as Answered<K>
    }
  }

  async function changing<K extends keyof Operations>(op: K, ...args: Arguments<K>): Promise<Answered<K>> {
    try {
      return (await helper.ask(op, folder, args)) as Answered<K>
    } catch (error) {
      if (error instanceof HelperLost) throw UNKNOWN_OUTCOME()
      throw error
    }
  }

  function history(query: Omit<LogQuery, 'limit'>): AsyncIterable<readonly CommitChanges[]> {
    return pieces('history', query)
  }

  /** Yields an answer in pieces: the next one is requested when this one was consumed. */
  async function* pieces<K extends keyof InPieces>(op: K, ...args: PieceArguments<K>): AsyncIterable<Piece<K>> {
    const waiting: { readonly id: number; readonly piece: Piece<K> }[] = []
    let wake = (): void => {}
    let over = false
    let failure: unknown
    const onPiece = (id: number, piece: unknown): void => {
      waiting.push({ id, piece: piece as Piece<K> })
      wake()
    }
    const done = helper
      .ask(op, folder, args, onPiece)
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        over = true
        wake()
      })
    let id: number | undefined
    try {
      for (;;) {
        const next = waiting.shift()
        if (next) {
          id = next.id
          yield next.piece
          helper.pull(next.id, true)
        } else if (over) break
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      if (!over && id !== undefined) helper.pull(id, false)
    }
    await done
    if (failure !== undefined) throw failure
  }
}

/** Removes a repository whose creation a kill interrupted. */
async function removeBegun(folder: string): Promise<void> {
  const place = dirname(folder)
  const begun = (await readdir(place).catch(() => [])).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  for (const name of begun) await rm(join(place, name), { recursive: true, force: true })
}
