import { arg, definePage, Panel } from '@gateway/sdk'
import { getNeighbors } from '../tools/get-neighbors.ts'

export const codeGraphPage = definePage({
  path: '/code-graph',
  title: 'Code graph',
  description: 'Code that a file or symbol touches, and code that touches it.',
  icon: 'git-fork',
  group: 'knowledge',
  order: 20,
  panels: [
    Panel.graph({
      id: 'neighbors',
      title: 'Neighbours',
      from: getNeighbors,
      filters: ['repo', { argument: 'node', placeholder: 'src/index.ts' }, 'direction'],
      nodes: '/neighbors',
      node: { id: '/node', label: '/node', group: '/kind' },
      edges: '/neighbors',
      edge: { from: '/of', to: '/node', label: '/edge' },
      open: { to: '/code-graph', with: { node: arg.row('/node'), repo: arg.query('repo') } },
      empty: 'No code found that it touches or that touches it.',
    }),
  ],
})
