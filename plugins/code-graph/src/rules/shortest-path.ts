import type { EdgeType, Graph } from './graph.ts'

/** Returns the shortest chain of files along edges from one to another, both included, or `undefined` when no chain joins them. */
export function shortestPathOf(
  graph: Graph,
  from: readonly string[],
  to: ReadonlySet<string>,
  types: ReadonlySet<EdgeType>,
): string[] | undefined {
  const before = new Map<string, string | undefined>(from.map((file) => [file, undefined]))
  const waiting = [...from]
  for (let at = 0; at < waiting.length; at++) {
    const file = waiting[at] as string
    if (to.has(file)) return chain(before, file)
    for (const next of edgesFrom(graph, file, types)) {
      if (before.has(next)) continue
      before.set(next, file)
      waiting.push(next)
    }
  }
  return undefined
}

function* edgesFrom(graph: Graph, file: string, types: ReadonlySet<EdgeType>): Generator<string> {
  const links = graph.links(file)
  if (!links) return
  if (types.has('import')) yield* links.imports
  if (types.has('calls')) for (const call of links.calls) yield call.file
  if (types.has('tests_of')) yield* links.tests
}

function chain(before: ReadonlyMap<string, string | undefined>, last: string): string[] {
  const files: string[] = []
  for (let at: string | undefined = last; at !== undefined; at = before.get(at)) files.unshift(at)
  return files
}
