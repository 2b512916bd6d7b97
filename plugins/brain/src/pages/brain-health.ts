import { definePage, Panel } from '@gateway/sdk'
import { brainHealth } from '../tools/brain-health.ts'
import { brainRecallAnalytics } from '../tools/brain-recall-analytics.ts'

export const brainHealthPage = definePage({
  path: '/brain/health',
  title: 'Brain health',
  description: 'The freshness, coverage and use of the brain.',
  icon: 'heart-pulse',
  group: 'knowledge',
  order: 43,
  panels: [
    Panel.stats({
      id: 'score',
      title: 'Score',
      from: brainHealth,
      items: {
        Score: { value: '/score', format: 'number' },
        Grade: { value: '/grade', format: 'badge', tones: { excellent: 'good', good: 'good', fair: 'warn', poor: 'bad' } },
        Freshness: { value: '/parts/freshness/value', format: 'percent' },
        Coverage: { value: '/parts/coverage/value', format: 'percent' },
        'Free of contradictions': { value: '/parts/contradictions/value', format: 'percent' },
        'Hit rate': { value: '/parts/hitRate/value', format: 'percent' },
      },
      empty: 'No brain yet. The first brain_commit creates it.',
    }),
    Panel.series({
      id: 'trend',
      title: 'Trend',
      from: brainHealth,
      rows: '/trend/points',
      x: '/at',
      lines: { Score: { value: '/score', format: 'number' } },
      empty: 'No earlier scores yet.',
    }),
    Panel.table({
      id: 'recalled',
      title: 'Most recalled',
      width: 'half',
      from: brainRecallAnalytics,
      rows: '/top',
      key: '/path',
      columns: {
        Title: '/title',
        Repo: '/repo',
        Recalls: { value: '/recalls', format: 'number' },
        'Last time': { value: '/lastRecalledAt', format: 'time' },
      },
      empty: 'No recalls yet.',
    }),
    Panel.table({
      id: 'dead',
      title: 'Never recalled',
      width: 'half',
      from: brainRecallAnalytics,
      rows: '/dead',
      key: '/path',
      columns: { Title: '/title', Repo: '/repo', Written: { value: '/at', format: 'time' } },
      empty: 'Every older atom was recalled.',
    }),
  ],
})
