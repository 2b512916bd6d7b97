import type { Refs } from './refs.ts'

/** Tombstones that are read at once. */
const AT_ONCE = 1_000

/** Returns those of the paths that belong to forgotten atoms. */
export async function forgottenAmong(refs: Pick<Refs, 'forgotten'>, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const forgotten = new Set<string>()
  for (let at = 0; at < paths.length; at += AT_ONCE)
    for (const { path } of await refs.forgotten.getMany(paths.slice(at, at + AT_ONCE))) forgotten.add(path)
  return forgotten
}
