import { graphlib, layout } from '@dagrejs/dagre'
import { useMemo } from 'preact/hooks'
import { linkTo } from '../arguments.ts'
import type { PanelOf } from '../contract.ts'
import { at, rowsAt } from '../pointer.ts'
import { cut, plain } from '../text.ts'
import type { Drawn } from './drawn.ts'

const MAX_NODES = 200
/** Names of nodes that the label of another one lists. */
const MAX_NAMED = 5
/** Groups of the legend. */
const MAX_GROUPS = 12
const HEIGHT = 34
const LETTER = 7.2
const PAD = 22

/** Boxes and arrows, laid out in ranks; each box names its group and those that lead to it, for people who cannot see them. */
export function Graph({ panel, answer, scope }: Drawn<PanelOf<'graph'>>) {
  const { width, height, nodes, edges, groups, more } = useMemo(() => laidOut(panel, answer), [panel, answer])
  return (
    <>
      <div class="graph" role="region" aria-label={panel.title} tabIndex={0}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={`${nodes.length} nodes, ${edges.length} edges`}
        >
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {edges.map(({ points, label }, index) => (
            <g key={index} class="edge">
              <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} marker-end="url(#arrow)">
                {label && <title>{label}</title>}
              </polyline>
            </g>
          ))}
          {nodes.map((node) => {
            const address = panel.open && linkTo(panel.open, { ...scope, row: node.value })
            const name = [
              node.label,
              node.groupName?.replaceAll('_', ' '),
              node.after.length > 0 && `after ${node.after.slice(0, MAX_NAMED).join(', ')}`,
            ]
            const label = name.filter(Boolean).join(', ')
            const box = (
              <>
                <rect
                  x={node.x - node.width / 2}
                  y={node.y - HEIGHT / 2}
                  width={node.width}
                  height={HEIGHT}
                  rx="6"
                  class={`group-${node.group}`}
                />
                <text x={node.x} y={node.y} dominant-baseline="central" text-anchor="middle">
                  {node.label}
                </text>
              </>
            )
            return address === undefined ? (
              <g key={node.id}>
                <title>{label}</title>
                {box}
              </g>
            ) : (
              <a key={node.id} href={address} aria-label={label}>
                {box}
              </a>
            )
          })}
        </svg>
      </div>
      {groups.length > 1 && (
        <ul class="keys" aria-hidden="true">
          {groups.map((name, index) => (
            <li key={name}>
              <svg width="14" height="14">
                <rect x="1" y="1" width="12" height="12" rx="3" class={`group-${index % 6}`} />
              </svg>
              {name === '' ? 'other' : name.replaceAll('_', ' ')}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p class="none">{more} more nodes are not drawn.</p>}
    </>
  )
}

function laidOut(panel: PanelOf<'graph'>, answer: unknown) {
  const all = rowsAt(answer, panel.nodes, panel.node.id)
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 46, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  const groups: string[] = []
  const drawn = all.slice(0, MAX_NODES).map(({ key, value }) => {
    const label = cut(plain(at(value, panel.node.label) ?? key), 36)
    const group = panel.node.group === undefined ? '' : plain(at(value, panel.node.group))
    if (!groups.includes(group)) groups.push(group)
    graph.setNode(key, { width: Math.max(48, label.length * LETTER + PAD), height: HEIGHT })
    return { id: key, value, label, group: groups.indexOf(group) % 6, groupName: group }
  })
  const labels = new Map<string, string>()
  const link = (from: string, to: string, label?: string): void => {
    if (!graph.hasNode(from) || !graph.hasNode(to)) return
    graph.setEdge(from, to)
    if (label !== undefined) labels.set(`${from}\0${to}`, label)
  }
  const { edge, node } = panel
  if (panel.edges !== undefined && edge)
    for (const { value } of rowsAt(answer, panel.edges, '/$none'))
      link(String(at(value, edge.from)), String(at(value, edge.to)), edge.label && plain(at(value, edge.label)))
  if (node.after !== undefined)
    for (const { key, value } of all) for (const before of [at(value, node.after) ?? []].flat()) link(String(before), key)
  layout(graph)
  const names = new Map(drawn.map(({ id, label }) => [id, label]))
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    more: all.length - drawn.length,
    groups: groups.slice(0, MAX_GROUPS),
    nodes: drawn.map((node) => ({
      ...node,
      after: (graph.predecessors(node.id) ?? []).map((id) => names.get(String(id)) ?? String(id)),
      ...(graph.node(node.id) as { x: number; y: number; width: number }),
    })),
    edges: graph.edges().map((edge) => ({
      points: (graph.edge(edge) as { points: { x: number; y: number }[] }).points,
      label: labels.get(`${edge.v}\0${edge.w}`),
    })),
  }
}
