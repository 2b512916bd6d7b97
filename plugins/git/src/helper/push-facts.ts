import type { Oid, PathChange, PushedRef, PushedRefFacts, Quarantine } from '../api.ts'
import { pushLimits } from '../rules/limits.ts'
import { readRaw } from '../rules/log-records.ts'
import { EMPTY_TREE, isOid } from '../rules/names.ts'
import { treeChanges } from './reads.ts'
import type { OpenRepository } from './repository.ts'
import { git, type RunOptions, run } from './run.ts'

const SHOWN = 20_000
/** Maximum output of one comparison: some 20,000 changes of the usual length. */
const MAX_BYTES = 4 * 1_024 * 1_024
export const MAIN = 'refs/heads/main'

export type Where = Pick<RunOptions, 'folder' | 'env' | 'limits'>

/** Marks commands that see the objects of a push: they process unjudged data. */
export const quarantined = ({ folder }: OpenRepository, { objects }: Quarantine): Where => ({
  folder,
  env: { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${folder}/objects` },
  limits: pushLimits(git.limits),
})

/** Returns the facts of a push about the tips of its refs; `pushed-commits.ts` reads the contents of its commits. */
export async function pushFacts(
  repository: OpenRepository,
  pushed: readonly PushedRef[],
  quarantine: Quarantine,
): Promise<readonly PushedRefFacts[]> {
  const where = quarantined(repository, quarantine)
  const [main] = await repository.tips([MAIN])
  const facts: PushedRefFacts[] = []
  for (const push of pushed) facts.push(await factsOf(where, push, main))
  return facts
}

/** Compares the new tip with the old one, and with the commit in which its history leaves that of main. */
async function factsOf(where: Where, push: PushedRef, main: Oid | undefined): Promise<PushedRefFacts> {
  const { ref, from, to } = push
  if (to === undefined || !isOid(to)) {
    const lost = from === undefined ? NOTHING : await changed(where, from, main ?? EMPTY_TREE)
    return { ...push, descends: false, rewritten: lost.changes, truncated: lost.truncated }
  }
  const fork = main === undefined ? undefined : await mergeBase(where, main, to)
  const bases = [...new Set([from ?? fork ?? EMPTY_TREE, fork ?? EMPTY_TREE])]
  const gone: { changes: readonly PathChange[]; truncated: boolean }[] = []
  for (const base of bases) gone.push(await changed(where, base, to))
  const descends = from === undefined ? fork !== undefined : ref !== MAIN || (await descendsFrom(where, from, to))
  return {
    ...push,
    descends,
    rewritten: gone.flatMap(({ changes }) => changes).slice(0, SHOWN),
    truncated: gone.some(({ truncated }) => truncated),
  }
}

const NOTHING = { changes: [] as readonly PathChange[], truncated: false }

async function changed(where: Where, from: Oid, to: Oid) {
  const { output, truncated } = await run(treeChanges(from, to, 'DMT'), { ...where, maxBytes: MAX_BYTES })
  const changes = readRaw(output)
  return { changes: changes.slice(0, SHOWN), truncated: truncated || changes.length > SHOWN }
}

async function mergeBase(where: Where, one: Oid, other: Oid): Promise<Oid | undefined> {
  const { code, output } = await run(['merge-base', one, other], { ...where, codes: [0, 1] })
  return code === 0 ? output.trim() : undefined
}

async function descendsFrom(where: Where, ancestor: Oid, of: Oid): Promise<boolean> {
  return (await run(['merge-base', '--is-ancestor', ancestor, of], { ...where, codes: [0, 1] })).code === 0
}
