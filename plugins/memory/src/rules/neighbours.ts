import type { Record } from '../schema.ts'

/** How many texts before one help to find it: in a dialogue what is answered, and what that was about. After it one does. */
export const BEFORE = 2
/** Of one neighbour: a longer one says too much of other things. */
const MAX_NEIGHBOUR = 2_000
const MAX_AROUND = (BEFORE + 1) * MAX_NEIGHBOUR

/** Of a list of texts that follow each other, those that help to find the one at `at`. */
export function neighboursOf<One>(list: readonly One[], at: number): readonly One[] {
  return [...list.slice(Math.max(0, at - BEFORE), at), ...list.slice(at + 1, at + 2)]
}

/** The words of the neighbours, as the second field that is searched: behind those that are there already. */
export function aroundOf(neighbours: readonly Pick<Record, 'words'>[], before = ''): string {
  return [before, ...neighbours.map(({ words }) => words.slice(0, MAX_NEIGHBOUR))].filter(Boolean).join(' ').slice(0, MAX_AROUND)
}

/** Whether a record is found by the words of the other, its neighbour. */
export function isAround(other: Pick<Record, 'words'>, { around = '' }: Pick<Record, 'around'>): boolean {
  return around.includes(other.words.slice(0, MAX_NEIGHBOUR))
}

/** The field `around` after the words of a neighbour have changed. */
export function replaceNeighbour(around: string, before: Pick<Record, 'words'>, after: Pick<Record, 'words'>): string {
  const own = before.words.slice(0, MAX_NEIGHBOUR)
  if (own === '') return around
  return around.replace(own, () => after.words.slice(0, MAX_NEIGHBOUR)).slice(0, MAX_AROUND)
}
