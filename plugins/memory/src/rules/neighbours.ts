import type { MemoryRecord } from '../schema.ts'

/**
 * Number of preceding texts that help to find a text: in a dialogue, what it answers, and what that was about. After it, one
 * helps.
 */
export const BEFORE = 2
/**
 * Maximum length of a neighbour. The text score divides by the length of the whole record, so that a short question between two
 * long answers was scored as a long document: with 2,000 characters such questions were seldom found.
 */
const MAX_NEIGHBOUR = 200
const MAX_AROUND = (BEFORE + 1) * (MAX_NEIGHBOUR + 1)

/** Returns the texts of a list of consecutive texts that help to find the one at `at`. */
export function neighboursOf<One>(list: readonly One[], at: number): readonly One[] {
  return [...list.slice(Math.max(0, at - BEFORE), at), ...list.slice(at + 1, at + 2)]
}

/** Returns the words of the neighbours for the second searched field, appended to the existing ones. */
export function aroundOf(neighbours: readonly Pick<MemoryRecord, 'words'>[], before = ''): string {
  return [before, ...neighbours.map(({ words }) => words.slice(0, MAX_NEIGHBOUR))].filter(Boolean).join(' ').slice(0, MAX_AROUND)
}

export function isAround(other: Pick<MemoryRecord, 'words'>, { around = '' }: Pick<MemoryRecord, 'around'>): boolean {
  return around.includes(other.words.slice(0, MAX_NEIGHBOUR))
}

/** Returns the field `around` after the words of a neighbour have changed. */
export function replaceNeighbour(around: string, before: Pick<MemoryRecord, 'words'>, after: Pick<MemoryRecord, 'words'>): string {
  const own = before.words.slice(0, MAX_NEIGHBOUR)
  if (own === '') return around
  return around.replace(own, () => after.words.slice(0, MAX_NEIGHBOUR)).slice(0, MAX_AROUND)
}

/** Returns words by which the neighbours of a record are found: the longest of those that they have of it. */
export function wordsOfNeighbour({ words }: Pick<MemoryRecord, 'words'>, most: number): readonly string[] {
  const all = new Set(words.slice(0, MAX_NEIGHBOUR).split(' ').slice(0, -1))
  return [...all].sort((a, b) => b.length - a.length).slice(0, most)
}
