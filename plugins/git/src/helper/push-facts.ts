import type { PushedRef, PushFacts, Quarantine } from '../api.ts'
import { EMPTY_TREE, isOid } from '../rules/names.ts'
import { treeChanges } from './reads.ts'
import type { OpenRepository } from './repository.ts'
import { run } from './run.ts'
import { measure } from './usage.ts'

const SHOWN = 20_000

/**
 * What the new tip of a pushed ref does to the files of the old one, or of main where the ref is new; of a ref that is deleted, what main
 * has not of it.
 */
export async function pushFacts(repository: OpenRepository, { ref, from, to }: PushedRef, { objects }: Quarantine): Promise<PushFacts> {
  const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${repository.folder}/objects` }
  const [main] = await repository.tips(['refs/heads/main'])
  const { bytes } = await measure(objects)
  if (to === undefined || !isOid(to)) {
    const lost = from === undefined ? [] : await treeChanges(repository.folder, from, main ?? EMPTY_TREE, { filter: 'DMT', env })
    return { descends: false, rewritten: lost.slice(0, SHOWN), added: [], bytes, truncated: lost.length > SHOWN }
  }
  const base = from ?? (main === undefined ? undefined : await mergeBase(repository.folder, main, to, env))
  const [gone, added] = await Promise.all([
    treeChanges(repository.folder, base ?? EMPTY_TREE, to, { filter: 'DMT', env }),
    treeChanges(repository.folder, base ?? EMPTY_TREE, to, { filter: 'A', env }),
  ])
  const descends = base !== undefined && (await descendsFrom(repository.folder, base, to, env))
  return {
    descends: descends || (ref !== 'refs/heads/main' && base !== undefined),
    rewritten: gone.slice(0, SHOWN),
    added: added.slice(0, SHOWN),
    bytes,
    truncated: gone.length > SHOWN || added.length > SHOWN,
  }
}

async function mergeBase(folder: string, one: string, other: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { code, output } = await run(['merge-base', one, other], { folder, env, codes: [0, 1] })
  return code === 0 ? output.trim() : undefined
}

async function descendsFrom(folder: string, ancestor: string, of: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  return (await run(['merge-base', '--is-ancestor', ancestor, of], { folder, env, codes: [0, 1] })).code === 0
}
