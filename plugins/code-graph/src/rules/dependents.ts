import type { EdgeType, Graph } from './graph.ts'
import { symbolId } from './links.ts'
import { type GraphNode, neighborsOf } from './neighbors.ts'

/** A file or symbol that a change reaches, and its distance; 0 for those that change. */
export interface Dependent {
  readonly node: string
  readonly kind: 'file' | 'symbol'
  readonly isTest: boolean
  readonly distance: number
}
/** The dependent uses the dependency, directly. */
export interface Dependence {
  readonly dependency: string
  readonly dependent: string
  readonly edge: EdgeType
}
export interface Dependents {
  readonly nodes: readonly Dependent[]
  readonly edges: readonly Dependence[]
  readonly truncated: boolean
}

const OF_FILES: ReadonlySet<EdgeType> = new Set(['import', 'tests_of'])
const OF_SYMBOLS: ReadonlySet<EdgeType> = new Set(['calls', 'import', 'tests_of'])

/**
 * Returns what depends on these nodes, up to `maxDistance` edges away, with the edges between them; breadth first, so that the
 * nearest are kept when there are more than `most`. A file leads to files. A symbol leads to its callers, and to files that import
 * it without a call.
 */
export function dependentsOf(
  graph: Graph,
  changed: readonly GraphNode[],
  isTest: (file: string) => boolean,
  { maxDistance, most }: { readonly maxDistance: number; readonly most: number },
): Dependents {
  const nodes = new Map<string, Dependent>()
  const edges = new Map<string, Dependence>()
  let truncated = false
  const add = ({ file, symbol }: GraphNode, distance: number): boolean => {
    const node = symbolId(file, symbol)
    if (nodes.has(node)) return false
    if (nodes.size >= most) {
      truncated = true
      return false
    }
    nodes.set(node, { node, kind: symbol === '' ? 'file' : 'symbol', isTest: isTest(file), distance })
    return true
  }
  let level = changed.filter((node) => add(node, 0))
  for (let distance = 1; distance <= maxDistance && level.length > 0; distance++) {
    const next: GraphNode[] = []
    for (const node of level) {
      for (const { to, edge } of usersOf(graph, node)) {
        if (add(to, distance)) next.push(to)
        const [dependency, dependent] = [symbolId(node.file, node.symbol), symbolId(to.file, to.symbol)]
        if (nodes.has(dependent) && dependent !== dependency) edges.set(`${dependency}\0${dependent}`, { dependency, dependent, edge })
      }
    }
    level = next
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], truncated }
}

function usersOf(graph: Graph, node: GraphNode): { readonly to: GraphNode; readonly edge: EdgeType }[] {
  const found = neighborsOf(graph, node, 'in', node.symbol === '' ? OF_FILES : OF_SYMBOLS).map(({ node: id, edge }) => ({
    to: readNode(id),
    edge,
  }))
  const calling = new Set(found.flatMap(({ to }) => (to.symbol === '' ? [] : [to.file])))
  // A file is shown by its symbol that calls, and a test by what it tests.
  return found
    .filter(({ to }) => to.symbol !== '' || !calling.has(to.file))
    .sort((a, b) => Number(a.edge !== 'tests_of') - Number(b.edge !== 'tests_of'))
    .filter(({ to }, index, all) => all.findIndex((other) => other.to.file === to.file && other.to.symbol === to.symbol) === index)
}

function readNode(id: string): GraphNode {
  const mark = id.lastIndexOf('#')
  return mark < 0 ? { file: id, symbol: '' } : { file: id.slice(0, mark), symbol: id.slice(mark + 1) }
}
