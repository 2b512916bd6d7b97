import type { Corpus } from '@gateway/plugin-memory/api'
import type { Refs } from './refs.ts'

/** The searchable text of the atoms is in the shared index; everything else is in `brain.atoms`. */
export const wordsOf = ({ index }: Pick<Refs, 'index'>): Corpus => index.corpus('brain')

/** Tag that names the branch of an atom. No topic has a colon. */
export const branchTag = (branch: string): string => `branch:${branch}`
/** Tag of the atoms of a branch that belong to no repo. */
export const crossRepoTag = (branch: string): string => `all:${branch}`
