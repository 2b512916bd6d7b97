import { readEntity } from './entities.ts'
import type { Touching } from './touches.ts'

export interface Community {
  /** Names of its weightiest entities. */
  readonly label: string
  readonly size: number
  readonly entities: readonly { readonly kind: string; readonly name: string; readonly atoms: number }[]
  readonly atoms: number
  readonly repos: readonly string[]
  readonly topics: readonly string[]
  readonly firstAt: string
  readonly lastAt: string
  readonly sample: readonly { readonly path: string; readonly title: string }[]
}

/** Maximum number of entities of one atom that are linked: pairs grow with the square. */
const MAX_JOINED = 16
const MAX_ROUNDS = 12
const SHOWN = 20

/**
 * Groups entities that are mentioned together: a graph whose edges count the atoms two of them share, split by label
 * propagation in a fixed order, so that the same atoms give the same groups. A repo is in every atom of its own, so repos link
 * nothing.
 */
export function communitiesOf(atoms: readonly (Touching & { readonly topic: string })[], minSize: number): readonly Community[] {
  const named = atoms.map((atom) => ({
    atom,
    keys: [...new Set(atom.entities.filter((key) => !key.startsWith('repo:')))].slice(0, MAX_JOINED),
  }))
  const labels = propagate(edgesOf(named.map(({ keys }) => keys)))
  const members = new Map<string, Set<string>>()
  for (const [key, label] of labels) members.set(label, (members.get(label) ?? new Set()).add(key))
  return [...members.values()]
    .filter((group) => group.size >= minSize)
    .map((group) => summary(group, named))
    .sort((a, b) => b.atoms - a.atoms || b.size - a.size || (a.label < b.label ? -1 : 1))
}

type Graph = Map<string, Map<string, number>>

function edgesOf(groups: readonly (readonly string[])[]): Graph {
  const graph: Graph = new Map()
  const join = (a: string, b: string): void => {
    const edges = graph.get(a) ?? new Map<string, number>()
    edges.set(b, (edges.get(b) ?? 0) + 1)
    graph.set(a, edges)
  }
  for (const keys of groups)
    for (const [at, one] of keys.entries())
      for (const other of keys.slice(at + 1)) {
        join(one, other)
        join(other, one)
      }
  return graph
}

function propagate(graph: Graph): ReadonlyMap<string, string> {
  const labels = new Map([...graph.keys()].sort().map((key) => [key, key]))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let changed = false
    for (const key of labels.keys()) {
      const weights = new Map<string, number>()
      for (const [other, weight] of graph.get(key) ?? []) {
        const label = labels.get(other) as string
        weights.set(label, (weights.get(label) ?? 0) + weight)
      }
      const own = labels.get(key) as string
      const best = [...weights].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a), [own, weights.get(own) ?? 0] as [
        string,
        number,
      ])
      if (best[0] === own || best[1] <= (weights.get(own) ?? 0)) continue
      labels.set(key, best[0])
      changed = true
    }
    if (!changed) break
  }
  return labels
}

function summary(
  group: ReadonlySet<string>,
  named: readonly { readonly atom: Touching & { readonly topic: string }; readonly keys: readonly string[] }[],
): Community {
  const about = named.filter(({ keys }) => keys.some((key) => group.has(key)))
  const counts = new Map<string, number>()
  for (const { keys } of about) for (const key of keys) if (group.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const times = about.map(({ atom }) => atom.at).sort()
  const distinct = (values: readonly string[]): string[] =>
    [...new Set(values)]
      .filter((value) => value !== '')
      .sort()
      .slice(0, SHOWN)
  return {
    label: ranked
      .slice(0, 3)
      .map(([key]) => readEntity(key).name)
      .join(', '),
    size: group.size,
    entities: ranked.slice(0, SHOWN).map(([key, atoms]) => ({ ...readEntity(key), atoms })),
    atoms: about.length,
    repos: distinct(about.map(({ atom }) => atom.namespace)),
    topics: distinct(about.map(({ atom }) => atom.topic)),
    firstAt: times[0] ?? '',
    lastAt: times.at(-1) ?? '',
    sample: about.slice(0, 5).map(({ atom: { path, title } }) => ({ path, title })),
  }
}
