import { anchorOf } from '../rules/names.ts'
import { isCompiled, namespaceOf, readAtomPath } from '../rules/paths.ts'
import { type AtomView, MAX_DELTA } from '../schema.ts'
import { bootBrief } from './briefs.ts'
import { atomId, viewOf } from './documents.ts'
import type { Refs } from './refs.ts'
import { resolveRef } from './resolve.ts'
import type { View } from './view.ts'

export interface DeltaRequest {
  readonly since?: string | undefined
  readonly repo?: string | undefined
  readonly topic?: string | undefined
  readonly budget: number
}

/** What an entry takes of the budget beside its title. */
const ENTRY = 90

/** What main has that a commit had not; without one to start from the compact boot brief. */
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
  const isWanted = (path: string): boolean =>
    repo === undefined || namespaceOf(path) === repo || (topic === undefined && readAtomPath(path)?.kind === 'memory')
  const paths = [
    ...new Set(changes.filter(({ status, path }) => status === 'A' && readAtomPath(path) && isWanted(path)).map(({ path }) => path)),
  ]
  const found = (await refs.atoms.getMany(paths.slice(0, 1_000).map((path) => atomId('main', path)))).filter(
    (atom) => topic === undefined || atom.topic === topic,
  )
  const merges = all.filter(({ parents }) => parents.length > 1)
  const compiled =
    merges.length === 0
      ? []
      : (await view.repo.diff({ from, to: view.main, patchCharacters: 0, maxFiles: 10_000 })).files.filter(
          ({ path }) => isCompiled(path) && isWanted(path),
        )

  const room = new Room(budget)
  const atoms: AtomView[] = []
  for (const atom of [...found].sort((a, b) => b.seq - a.seq)) if (room.takes(atom.title.length + ENTRY)) atoms.push(viewOf(atom))
  const commits = all
    .filter(({ subject }) => room.takes(subject.length + ENTRY))
    .map(({ sha, at, subject }) => ({ sha, date: at, subject }))
  const sections = compiled.filter(({ path }) => room.takes(path.length)).map(({ path }) => path)
  return {
    mode: 'delta' as const,
    from,
    to: view.main,
    atoms,
    commits,
    compiled: sections,
    truncated: room.full || all.length === MAX_DELTA,
  }
}

/** Characters that are left of a budget. */
class Room {
  #left: number
  full = false

  constructor(budget: number) {
    this.#left = budget
  }

  takes(characters: number): boolean {
    if (characters > this.#left) this.full = true
    if (this.full) return false
    this.#left -= characters
    return true
  }
}
