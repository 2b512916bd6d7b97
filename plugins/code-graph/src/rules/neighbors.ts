import type { EdgeType, Graph } from './graph.ts'
import { symbolId } from './links.ts'

export const DIRECTIONS = ['out', 'in', 'both'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** A file, or one of its symbols. */
export interface GraphNode {
  readonly file: string
  readonly symbol: string
}
export interface Neighbor {
  /** A path, `path#symbol`, or the name of a package. */
  readonly node: string
  readonly kind: 'file' | 'symbol' | 'package'
  readonly edge: EdgeType
  readonly direction: 'out' | 'in'
  /** The queried node it is a neighbour of. */
  readonly of: string
}

/** Returns the nodes a text can mean: a path, `path#symbol`, or the name of a symbol, which several files may have. */
export function nodesNamed(graph: Graph, text: string): GraphNode[] {
  const path = text.replace(/^\.\//, '')
  if (graph.facts.has(path)) return [{ file: path, symbol: '' }]
  const at = path.lastIndexOf('#')
  if (at > 0) {
    const [file, symbol] = [path.slice(0, at), path.slice(at + 1)]
    return graph.facts.get(file)?.symbols.includes(symbol) ? [{ file, symbol }] : []
  }
  const found: GraphNode[] = []
  for (const [file, { symbols }] of graph.facts) if (symbols.includes(text)) found.push({ file, symbol: text })
  return found.sort((a, b) => (a.file < b.file ? -1 : 1))
}

export function neighborsOf(graph: Graph, node: GraphNode, direction: Direction, types: ReadonlySet<EdgeType>): Neighbor[] {
  const of = symbolId(node.file, node.symbol)
  const ways = direction === 'both' ? (['out', 'in'] as const) : [direction]
  const found = ways.flatMap((way) =>
    [...(way === 'out' ? leaving(graph, node) : arriving(graph, node))].map((one) => ({ ...one, direction: way, of })),
  )
  const unique = new Map(found.filter(({ edge }) => types.has(edge)).map((one) => [`${one.direction} ${one.edge} ${one.node}`, one]))
  return [...unique.values()]
}

type Edge = Pick<Neighbor, 'node' | 'kind' | 'edge'>

function* leaving(graph: Graph, { file, symbol }: GraphNode): Generator<Edge> {
  const links = graph.links(file)
  if (!links) return
  if (symbol === '') {
    for (const to of links.imports) yield { node: to, kind: 'file', edge: 'import' }
    for (const to of links.packages) yield { node: to, kind: 'package', edge: 'import' }
    for (const to of links.tests) yield { node: to, kind: 'file', edge: 'tests_of' }
  }
  for (const call of links.calls) {
    const isOwn = symbol === '' ? call.file !== file : call.by === symbol
    if (isOwn) yield { node: symbolId(call.file, call.symbol), kind: 'symbol', edge: 'calls' }
  }
}

function* arriving(graph: Graph, { file, symbol }: GraphNode): Generator<Edge> {
  const id = symbolId(file, symbol)
  if (symbol === '') {
    for (const from of graph.importers(file)) yield { node: from, kind: 'file', edge: 'import' }
    for (const from of graph.testers(file)) yield { node: from, kind: 'file', edge: 'tests_of' }
  } else {
    for (const from of graph.users(file)) {
      const links = graph.links(from)
      if (!links?.uses.has(id)) continue
      yield { node: from, kind: 'file', edge: 'import' }
      if (links.tests.has(file)) yield { node: from, kind: 'file', edge: 'tests_of' }
    }
  }
  for (const from of graph.callers(file)) {
    for (const call of graph.links(from)?.calls ?? []) {
      const isOwn = call.file === file && (symbol === '' ? from !== file : call.symbol === symbol)
      if (isOwn) yield { node: symbolId(from, call.by), kind: call.by === '' ? 'file' : 'symbol', edge: 'calls' }
    }
  }
}
