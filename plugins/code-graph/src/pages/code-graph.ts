import { arg, definePage, Panel } from '@gateway/sdk'
import { codeDependents } from '../routes/dependents.ts'
import { getNeighbors } from '../tools/get-neighbors.ts'

export const codeGraphPage = definePage({
  path: '/code-graph',
  title: 'Code graph',
  description: 'Code that depends on a file or symbol, and code that it depends on.',
  icon: 'git-fork',
  group: 'knowledge',
  order: 20,
  panels: [
    Panel.graph({
      id: 'impact',
      title: 'Impact of a change',
      from: codeDependents,
      filters: [
        'repo',
        { argument: 'node', label: 'File or symbol', placeholder: 'src/index.ts' },
        { argument: 'maxDistance', label: 'Steps' },
      ],
      nodes: '/nodes',
      node: { id: '/node', label: '/node', group: '/sort' },
      edges: '/edges',
      edge: { from: '/dependency', to: '/dependent', label: '/edge' },
      open: { to: '/code-graph', with: { node: arg.row('/node'), repo: arg.query('repo') } },
      empty: 'Nothing is known to depend on it.',
      texts: { missing: 'The code graph has no such file or symbol.' },
    }),
    Panel.graph({
      id: 'neighbors',
      title: 'Neighbours',
      from: getNeighbors,
      filters: ['repo', { argument: 'node', label: 'File or symbol', placeholder: 'src/index.ts' }, 'direction'],
      nodes: '/neighbors',
      node: { id: '/node', label: '/node', group: '/kind' },
      edges: '/neighbors',
      edge: { from: '/of', to: '/node', label: '/edge' },
      open: { to: '/code-graph', with: { node: arg.row('/node'), repo: arg.query('repo') } },
      empty: 'No code found that it touches or that touches it.',
    }),
  ],
})
