import { definePage, Panel } from '@gateway/sdk'
import { memorySearch } from '../tools/memory-search.ts'
import { memoryStatsTool } from '../tools/memory-stats.ts'
import { memoryStore } from '../tools/memory-store.ts'
import { patternAnalyze } from '../tools/pattern-analyze.ts'

export const memoryPage = definePage({
  path: '/memory',
  title: 'Memory',
  description: 'Knowledge that agents have stored, and search over it.',
  icon: 'brain',
  group: 'knowledge',
  order: 30,
  actions: [{ id: 'store', label: 'Remember', icon: 'plus', tool: memoryStore, form: ['content', 'repo', 'source', 'tags'] }],
  panels: [
    Panel.list({
      id: 'search',
      title: 'Search',
      from: memorySearch,
      filters: [{ argument: 'query', label: 'Question', required: true, placeholder: 'What do you look for?' }, 'repo', 'source'],
      rows: '/results',
      key: '/chunkId',
      head: '/title',
      text: '/content',
      fields: {
        Repo: '/repo',
        Source: { value: '/source', format: 'badge' },
        Tags: { value: '/tags', format: 'badge' },
        'Found by': { value: '/foundBy', format: 'badge' },
        Created: { value: '/createdAt', format: 'time' },
      },
      empty: { text: 'Nothing is remembered yet.', action: 'store' },
    }),
    Panel.stats({
      id: 'stats',
      title: 'Contents',
      width: 'half',
      from: memoryStatsTool,
      items: { Chunks: { value: '/total', format: 'number' }, 'With a vector': { value: '/embedded', format: 'number' } },
      empty: 'No chunks yet. memory_store adds one.',
    }),
    Panel.table({
      id: 'patterns',
      title: 'Patterns',
      width: 'half',
      from: patternAnalyze,
      rows: '/patterns',
      key: '/chunkId',
      columns: {
        Pattern: '/content',
        Confidence: { value: '/confidence', format: 'percent' },
        Used: { value: '/usageCount', format: 'number' },
        Freshness: { value: '/staleness', format: 'badge', tones: { fresh: 'good', aging: 'warn', stale: 'bad' } },
      },
      empty: 'No patterns yet. memory_store with source pattern adds one.',
    }),
  ],
})
