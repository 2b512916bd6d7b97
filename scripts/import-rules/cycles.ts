import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaces } from '../workspaces.mjs'
import { imports, importsIn } from './imports.ts'

/** A workspace whose sources are not in `src`, since it is bundled for browsers. */
const CLIENT = 'plugins/dashboard/app'

type Graph = Map<string, Set<string>>

/** Returns one line for each cycle: of modules that import each other, or of packages that depend on each other. */
export function cycleFaults(root: string): string[] {
  return [
    ...cyclesOf(packages(root)).map((names) => `packages depend on each other: ${names.join(', ')}`),
    ...cyclesOf(modules(root)).map((files) => `modules import each other: ${files.join(', ')}`),
  ]
}

function modules(root: string): Graph {
  const graph: Graph = new Map()
  const client = existsSync(join(root, CLIENT)) ? importsIn(root, CLIENT, '.') : []
  for (const { from, to, relative, dynamic } of [...imports(root), ...client]) if (relative && !dynamic) add(graph, from, to)
  return graph
}

function packages(root: string): Graph {
  const graph: Graph = new Map()
  for (const workspace of workspaces(root)) {
    const { name, dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    for (const other of Object.keys({ ...dependencies, ...peerDependencies })) add(graph, name, other)
  }
  return graph
}

function add(graph: Graph, from: string, to: string): void {
  const known = graph.get(from)
  if (known) known.add(to)
  else graph.set(from, new Set([to]))
}

/** Returns the groups of nodes that reach each other, by Tarjan's algorithm. */
function cyclesOf(graph: Graph): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()

  function visit(node: string): number {
    let low = order.size
    order.set(node, low)
    open.push(node)
    isOpen.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === order.get(node)) {
      const group = open.splice(open.lastIndexOf(node))
      for (const one of group) isOpen.delete(one)
      if (group.length > 1) found.push(group.sort())
    }
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found
}
