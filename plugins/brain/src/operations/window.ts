import { defined } from '@gateway/sdk'
import type { AtomDoc } from './documents.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

export interface WindowFilter {
  readonly namespace?: string | undefined
  /** Time in ISO 8601. */
  readonly since?: string | undefined
}

/** Returns the newest visible atoms, each once, newest first: the input of entities, timelines and communities. */
export async function newestAtoms(
  refs: Refs,
  { visible }: Pick<View, 'visible'>,
  limit: number,
  { namespace, since }: WindowFilter = {},
): Promise<readonly AtomDoc[]> {
  const found = await Promise.all(
    visible.map((branch) => refs.atoms.find({ where: { branch, ...defined({ namespace }) }, sort: { seq: -1 }, limit })),
  )
  const byPath = new Map<string, AtomDoc>()
  for (const { items } of found) for (const atom of items) if (!byPath.has(atom.path)) byPath.set(atom.path, atom)
  const all = [...byPath.values()].filter(({ at }) => since === undefined || at >= since)
  return all.sort((a, b) => (a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1)).slice(0, limit)
}
