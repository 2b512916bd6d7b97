import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CommitChanges, LogQuery, NewCommit, Repository } from '../api.ts'
import { UNKNOWN_OUTCOME } from '../errors.ts'
import type { operations } from '../helper/operations.ts'
import { HelperLost, type HelperProcess } from './helper-process.ts'
import { type PackServer, servePack } from './serve-pack.ts'

type Operations = typeof operations
type Arguments<K extends keyof Operations> = Operations[K] extends (repository: never, ...args: infer A) => unknown ? A : never
type Answered<K extends keyof Operations> = Awaited<ReturnType<Operations[K]>>

const MAX_FILE = 1_024 * 1_024

/** A repository of ours, through the helper. Reads that a dying helper left unanswered are asked once more. */
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
    changes: (query) => reading('changes', query),
    history,
    changed: (commit) => reading('changed', commit),
    entries: (commit, paths) => reading('entries', commit, paths),
    list: (commit, path, limit) => reading('list', commit, path, limit),
    diff: (query) => reading('diff', query),
    usage: async () => ((await exists()) ? reading('usage') : { bytes: 0, packs: 0 }),
    check: async () => ((await exists()) ? reading('check') : []),
    pushFacts: (push, quarantine) => reading('pushFacts', push, quarantine),
    async servePack(request, input, output) {
      if (!packs) throw new Error('this repository is not served')
      // Says what is missing where there is no git, or an old one.
      await helper.version()
      await servePack(packs, folder, request, input, output)
    },
  }

  async function exists(): Promise<boolean> {
    return (await stat(folder).catch(() => undefined)) !== undefined
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

  async function* history(query: Omit<LogQuery, 'limit'>): AsyncIterable<readonly CommitChanges[]> {
    const pieces: { readonly id: number; readonly commits: readonly CommitChanges[] }[] = []
    let wake = (): void => {}
    let over = false
    let failure: unknown
    const told = (id: number, piece: unknown): void => {
      pieces.push({ id, commits: piece as readonly CommitChanges[] })
      wake()
    }
    const done = helper
      .ask('history', folder, [query], told)
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
        const piece = pieces.shift()
        if (piece) {
          id = piece.id
          yield piece.commits
          helper.pull(piece.id, true)
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

/** What was being made beside its place when a kill came. */
async function removeBegun(folder: string): Promise<void> {
  const place = dirname(folder)
  const begun = (await readdir(place).catch(() => [])).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  for (const name of begun) await rm(join(place, name), { recursive: true, force: true })
}
