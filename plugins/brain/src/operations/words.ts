import type { Corpus } from '@gateway/plugin-memory/api'
import type { Refs } from './refs.ts'

/** What is searched of the atoms lies in the one index of the house; everything else of them in `brain.atoms`. */
export const wordsOf = ({ index }: Pick<Refs, 'index'>): Corpus => index.corpus('brain')

/** The tag that says whose an atom is. No topic has a colon. */
export const branchTag = (branch: string): string => `branch:${branch}`
