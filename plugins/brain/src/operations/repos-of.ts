import { segmentIn } from '../rules/paths.ts'
import { isHashed, repoOf, segmentOf } from '../rules/repo-segment.ts'
import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'

const MAX_NAMESPACES_SEARCHED = 10_000

/** Returns the repos that paths belong to, in alphabetical order. A segment that no commit would have created is left out. */
export async function reposOf(refs: Refs, paths: readonly string[], coming: readonly AtomDoc[] = []): Promise<readonly string[]> {
  const segments = [...new Set(paths.flatMap((path) => segmentIn(path) ?? []))]
  const names = new Map<string, string>()
  if (segments.some(isHashed)) {
    const known = await refs.namespaces.find({ limit: MAX_NAMESPACES_SEARCHED })
    for (const { namespace } of [...known.items, ...coming]) names.set(segmentOf(namespace), namespace)
  }
  return segments
    .map((segment) => ({ segment, name: names.get(segment) ?? repoOf(segment) }))
    .filter(({ segment, name }) => segmentOf(name) === segment)
    .map(({ name }) => name)
    .sort()
}
