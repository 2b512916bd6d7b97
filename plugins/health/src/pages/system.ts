import { definePage, Panel } from '@gateway/sdk'
import { examineGateway } from '../routes/doctor-examine.ts'
import { listNodes } from '../routes/nodes-list.ts'
import { healthAlertsRun } from '../tools/health-alerts-run.ts'
import { healthAlertsStatus } from '../tools/health-alerts-status.ts'
import { healthStatus } from '../tools/health-status.ts'

const health = { healthy: 'good', degraded: 'warn', unhealthy: 'bad' } as const

export const systemPage = definePage({
  path: '/system',
  title: 'System',
  description: 'Health of the gateway itself.',
  icon: 'heart-pulse',
  group: 'admin',
  order: 10,
  actions: [{ id: 'look', label: 'Check now', icon: 'refresh-cw', tool: healthAlertsRun }],
  panels: [
    Panel.stats({
      id: 'health',
      title: 'Health',
      from: healthStatus,
      everySeconds: 15,
      items: {
        Status: { value: '/status', format: 'badge', tones: health },
        Version: { value: '/version', format: 'code' },
        Uptime: { value: '/uptime', format: 'duration', unit: 's' },
        Database: { value: '/database/health', format: 'badge', tones: health },
        Memory: { value: '/memory/rssBytes', format: 'bytes' },
        Heap: { value: '/memory/heapUsedBytes', format: 'bytes' },
      },
      empty: 'No results yet.',
    }),
    Panel.table({
      id: 'checks',
      title: 'Checks',
      from: healthAlertsStatus,
      rows: '/latest/checks',
      key: '/name',
      columns: {
        Part: '/name',
        Status: { value: '/status', format: 'badge', tones: health },
        Details: { value: '/details', format: 'json' },
      },
      empty: { text: 'Nothing was checked yet.', action: 'look' },
    }),
    Panel.table({
      id: 'doctor',
      title: 'Findings and their fixes',
      from: examineGateway,
      rows: '/checks',
      key: '/seq',
      columns: {
        Check: '/check',
        Outcome: { value: '/outcome', format: 'badge', tones: { ok: 'good', warn: 'warn', fail: 'bad' } },
        Found: '/detail',
        'What to do': '/fix',
      },
      empty: 'No checks yet.',
      texts: { loading: 'The checks run …' },
    }),
    Panel.table({
      id: 'nodes',
      title: 'Nodes',
      from: listNodes,
      everySeconds: 30,
      rows: '/nodes',
      key: '/nodeId',
      columns: {
        Node: { value: '/nodeId', format: 'code' },
        Host: '/host',
        Process: { value: '/pid', format: 'code' },
        Started: { value: '/startedAt', format: 'time' },
        'Answers here': { value: '/self', format: 'boolean' },
      },
      empty: 'No nodes found.',
    }),
    Panel.table({
      id: 'tools',
      title: 'Slowest tools',
      width: 'half',
      from: 'perf_stats',
      everySeconds: 30,
      rows: '/tools',
      key: '/tool',
      columns: {
        Tool: { value: '/tool', format: 'code' },
        Calls: { value: '/count', format: 'number' },
        Median: { value: '/p50', format: 'duration' },
        p95: { value: '/p95', format: 'duration' },
        Longest: { value: '/max', format: 'duration' },
      },
      empty: 'No calls since the start.',
    }),
    Panel.table({
      id: 'breaching',
      title: 'Routes below their objectives',
      width: 'half',
      from: 'slo_status',
      everySeconds: 30,
      rows: '/breaching',
      key: '/route',
      columns: {
        Route: { value: '/route', format: 'code' },
        p95: { value: '/p95', format: 'duration' },
        'Errors (%)': { value: '/errorRatePct', format: 'number' },
        Breaks: { value: '/broken', format: 'badge' },
      },
      empty: 'Every route meets its objectives.',
    }),
    Panel.table({
      id: 'canary',
      title: 'Canary',
      from: 'canary_status',
      rows: '/history',
      key: '/runId',
      columns: {
        Run: { value: '/runId', format: 'code' },
        Status: { value: '/status', format: 'badge', tones: { pass: 'good', slow: 'warn', fail: 'bad' } },
        Started: { value: '/startedAt', format: 'time' },
      },
      empty: 'No checks yet.',
    }),
  ],
})
