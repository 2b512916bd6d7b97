import { anchorOf, isCompiled, readAtomPath, segmentIn } from '../rules/paths.ts'
import { segmentOf } from '../rules/repo-segment.ts'
import { MAX_DELTA } from '../schema.ts'
import { bootBrief } from './briefs.ts'
import { type AtomDoc, atomId } from './documents.ts'
import type { Refs } from './refs.ts'
import { resolveRef } from './resolve.ts'
import type { View } from './view.ts'

export interface DeltaRequest {
  readonly since?: string | undefined
  readonly repo?: string | undefined
  readonly topic?: string | undefined
  readonly budget: number
}

/** Atoms read per batch, and the number that fits the largest budget. */
const AT_ONCE = 1_000
const SHOWN = 1_000

/** Returns everything that main has and a commit had not; without a commit, the compact boot brief. */
export async function deltaOf(refs: Refs, view: View, { since, repo, topic, budget }: DeltaRequest) {
  const [anchor] = since === undefined && repo !== undefined ? await view.repo.tips([anchorOf(repo)]) : []
  const from = since === undefined ? anchor : await resolveRef(view, since, 'since')
  if (from === undefined)
    return {
      mode: 'brief' as const,
      to: view.main,
      brief: await bootBrief(refs, budget),
      atoms: [],
      commits: [],
      compiled: [],
      truncated: false,
    }

  const all = await view.repo.changes({ from, to: view.main, limit: MAX_DELTA })
  const changes = all.flatMap(({ changes }) => changes)
  const segment = repo === undefined ? undefined : segmentOf(repo)
  const isWanted = (path: string): boolean =>
    segment === undefined || segmentIn(path) === segment || (topic === undefined && readAtomPath(path)?.kind === 'memory')
  const paths = [
    ...new Set(changes.filter(({ status, path }) => status === 'A' && readAtomPath(path) && isWanted(path)).map(({ path }) => path)),
  ]
  const found: AtomDoc[] = []
  for (let at = 0; at < paths.length && found.length < SHOWN; at += AT_ONCE) {
    const some = await refs.atoms.getMany(paths.slice(at, at + AT_ONCE).map((path) => atomId('main', path)))
    found.push(...some.filter((atom) => topic === undefined || atom.topic === topic))
  }
  const merges = all.filter(({ parents }) => parents.length > 1)
  const compiled =
    merges.length === 0
      ? []
      : (await view.repo.diff({ from, to: view.main, patchCharacters: 0, maxFiles: 10_000 })).files.filter(
          ({ path }) => isCompiled(path) && isWanted(path),
        )

  const wantedCommits = repo === undefined ? all : all.filter((one) => one.changes.some(({ path }) => isWanted(path)))
  const room = new Room(budget - ENVELOPE)
  return {
    mode: 'delta' as const,
    from,
    to: view.main,
    // Half of the budget goes to learned atoms; each part leaves its rest to the next.
    atoms: room.fill([...found].sort((a, b) => b.seq - a.seq).map(newsOf), 0.5),
    compiled: room.fill(
      compiled.map(({ path }) => path),
      0.5,
    ),
    commits: room.fill(
      wantedCommits.map(({ sha, at, subject }) => ({ sha, date: at, subject })),
      1,
    ),
    truncated: room.full || all.length === MAX_DELTA,
  }
}

/** The fields with which an agent decides whether to read an atom. */
const newsOf = ({ path, sha8, topic, title }: AtomDoc) => ({ path, sha8, topic, title })

/** Characters of an answer besides its entries. */
const ENVELOPE = 220

/** Characters of JSON that are left of a budget. */
class Room {
  #left: number
  full = false

  constructor(budget: number) {
    this.#left = budget
  }

  /** Returns as many of the first entries as fit into a share of the remaining budget. */
  fill<Entry>(entries: readonly Entry[], share: number): Entry[] {
    const taken: Entry[] = []
    let room = this.#left * share
    for (const entry of entries) {
      // Includes the comma after it.
      const characters = JSON.stringify(entry).length + 1
      room -= characters
      if (room < 0) break
      this.#left -= characters
      taken.push(entry)
    }
    if (taken.length < entries.length) this.full = true
    return taken
  }
}
