import { arg, definePage, Panel } from '@gateway/sdk'
import { changeTenant } from '../routes/change.ts'
import { getTenant } from '../routes/get.ts'
import { issueKey } from '../routes/issue-key.ts'
import { listKeys } from '../routes/list-keys.ts'
import { requestErasure } from '../routes/request-erasure.ts'
import { revokeKey } from '../routes/revoke-key.ts'
import { keyColumns } from '../rules/key-columns.ts'

const targetTenantId = arg.param('targetTenantId')

export const tenantPage = definePage({
  path: '/tenants/:targetTenantId',
  title: 'Tenant',
  icon: 'building-2',
  group: 'access',
  order: 61,
  actions: [
    {
      id: 'new-key',
      label: 'New key',
      icon: 'key-round',
      tool: issueKey,
      arguments: { targetTenantId },
      form: ['label', 'role', 'environment', 'expiresAt'],
      done: 'The key is made: it is shown this once.',
      shows: { kind: 'json', text: '' },
    },
  ],
  panels: [
    Panel.detail({
      id: 'tenant',
      title: 'Tenant',
      from: getTenant,
      arguments: { targetTenantId },
      record: '/tenant',
      names: '/name',
      fields: {
        Name: '/name',
        Id: { value: '/tenantId', format: 'code' },
        Plan: { value: '/plan', format: 'badge' },
        Status: { value: '/status', format: 'badge', tones: { active: 'good', suspended: 'warn', deleted: 'bad' } },
        'Legal hold': { value: '/legalHold', format: 'boolean' },
        'Suspended because': '/suspendReason',
        'Erasure asked for': { value: '/erasureRequestedAt', format: 'time' },
        Created: { value: '/createdAt', format: 'time' },
      },
      actions: [
        {
          id: 'change',
          label: 'Change',
          icon: 'pencil',
          tool: changeTenant,
          arguments: { targetTenantId, plan: arg.row('/plan'), legalHold: arg.row('/legalHold') },
          form: ['plan', 'legalHold'],
        },
        {
          id: 'erase',
          label: 'Request erasure',
          icon: 'trash-2',
          tool: requestErasure,
          arguments: { targetTenantId },
          confirm: { object: arg.row('/name'), text: 'All that it has is erased for good when its time of grace is over.', typed: true },
        },
      ],
      empty: 'Tenant not found.',
    }),
    Panel.table({
      id: 'keys',
      title: 'API keys',
      from: listKeys,
      arguments: { targetTenantId },
      rows: '/keys',
      key: '/keyId',
      columns: keyColumns,
      actions: [
        {
          id: 'revoke',
          label: 'Revoke',
          icon: 'circle-x',
          tool: revokeKey,
          arguments: { targetTenantId, keyId: arg.row('/keyId') },
          confirm: { object: arg.row('/keyId'), text: 'It is void from the next call on. What was made with it ends.', typed: true },
        },
      ],
      empty: { text: 'It has no key.', action: 'new-key' },
    }),
  ],
})
