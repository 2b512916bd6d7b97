import { definePage, Panel } from '@gateway/sdk'
import { searchAudit } from '../routes/audit-search.ts'
import { verifyTrail } from '../routes/audit-verify.ts'

export const auditPage = definePage({
  path: '/audit',
  title: 'Audit',
  description: 'Changes and refusals with their callers, and a check of the trail.',
  icon: 'scroll-text',
  group: 'access',
  order: 50,
  actions: [{ id: 'verify', label: 'Verify the trail', icon: 'badge-check', tool: verifyTrail, shows: { kind: 'json', text: '' } }],
  panels: [
    Panel.table({
      id: 'records',
      title: 'Records',
      from: searchAudit,
      filters: [
        { argument: 'outcome', placeholder: 'ok, refused, FORBIDDEN …' },
        { argument: 'principal', label: 'Who', placeholder: 'id or label' },
        { argument: 'tool', label: 'Tool or route' },
        { argument: 'name', label: 'Kind', placeholder: 'tool.call …' },
        'from',
        'until',
        { argument: 'requestId', label: 'Request' },
        { argument: 'targetTenantId', label: 'Tenant', placeholder: 'for the operator' },
      ],
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/records',
      key: '/seq',
      columns: {
        At: { value: '/at', format: 'time' },
        Who: { value: '/principal/id', beside: '/principal/label' },
        Called: { value: '/tool', format: 'code' },
        Subject: { value: '/subject', format: 'json' },
        Outcome: { value: '/decision', format: 'badge', tones: { ok: 'good', FORBIDDEN: 'bad', UNAUTHORIZED: 'bad' } },
      },
      fields: {
        Kind: '/name',
        From: { value: '/address', format: 'code' },
        Client: '/client',
        Details: { value: '/details', format: 'json' },
        Request: { value: '/requestId', format: 'code' },
      },
      empty: 'No records yet.',
      texts: { unmatched: 'No record here. Where “Next” can be pressed, there is more of the trail to look through.' },
    }),
  ],
})
