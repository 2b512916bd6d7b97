import type { Corpus } from '@gateway/plugin-memory/api'
import type { Refs } from './refs.ts'

/** The searchable text of the atoms is in the shared index; everything else is in `brain.atoms`. */
export const wordsOf = ({ index }: Pick<Refs, 'index'>): Corpus => index.corpus('brain')

/** Tag that names the branch of an atom. No topic has a colon. */
export const branchTag = (branch: string): string => `branch:${branch}`

/** Mark that names the branch and the namespace of an atom; '' is the namespace of all repos. */
export const scopeTag = (branch: string, namespace: string): string => `scope:${branch}|${namespace}`

export const PAST_SESSION = 'past:session'

/** Tags of which a visible atom has one: on a visible branch, and with a namespace of it or of all repos. */
export function visibleTags(visible: readonly string[], namespace?: string): readonly string[] {
  if (namespace === undefined) return visible.map(branchTag)
  return visible.flatMap((branch) => [scopeTag(branch, namespace), scopeTag(branch, '')])
}
