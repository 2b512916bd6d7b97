import { arg, definePage, Panel } from '@gateway/sdk'
import { cancelTenant } from '../routes/cancel.ts'
import { createTenant } from '../routes/create.ts'
import { issueKey } from '../routes/issue-key.ts'
import { listTenants } from '../routes/list.ts'
import { rotateKey } from '../routes/rotate-key.ts'
import { tenantReactivate } from '../tools/tenant-reactivate.ts'
import { tenantSuspend } from '../tools/tenant-suspend.ts'

const targetTenantId = arg.row('/tenantId')

export const tenantsPage = definePage({
  path: '/tenants',
  title: 'Tenants and keys',
  icon: 'building-2',
  group: 'access',
  order: 60,
  actions: [
    {
      id: 'new-tenant',
      label: 'New tenant',
      icon: 'plus',
      tone: 'primary',
      tool: createTenant,
      form: ['name', 'plan', 'tenantId'],
      shows: { kind: 'json', text: '' },
    },
  ],
  panels: [
    Panel.table({
      id: 'tenants',
      title: 'Tenants',
      from: listTenants,
      rows: '/tenants',
      key: '/tenantId',
      paging: { cursor: 'cursor', next: '/nextCursor' },
      open: { to: '/tenants/:targetTenantId', with: { targetTenantId } },
      columns: {
        Name: '/name',
        Id: { value: '/tenantId', format: 'code' },
        Plan: { value: '/plan', format: 'badge' },
        Status: { value: '/status', format: 'badge', tones: { active: 'good', suspended: 'warn', deleted: 'bad' } },
        'Legal hold': { value: '/legalHold', format: 'boolean' },
        Why: '/suspendReason',
        'Erasure asked for': { value: '/erasureRequestedAt', format: 'time' },
        Created: { value: '/createdAt', format: 'time' },
      },
      actions: [
        {
          id: 'look',
          label: 'View tenant',
          icon: 'eye',
          // Tool of the sign-in family: this browser enters the tenant, for an hour.
          tool: 'sign-in.look',
          arguments: { targetTenantId },
          form: ['role'],
          when: { pointer: '/status', in: ['active'] },
        },
        {
          id: 'new-key',
          label: 'New key',
          icon: 'key-round',
          tool: issueKey,
          arguments: { targetTenantId },
          form: ['label', 'role', 'environment', 'expiresAt'],
          shows: { kind: 'json', text: '' },
        },
        {
          id: 'rotate-key',
          label: 'Rotate keys',
          icon: 'refresh-cw',
          tool: rotateKey,
          arguments: { targetTenantId },
          form: ['role', 'environment', 'graceMinutes'],
          confirm: { object: arg.row('/name'), text: 'Its present keys end when their time of grace is over.' },
          shows: { kind: 'json', text: '' },
        },
        {
          id: 'suspend',
          label: 'Suspend',
          icon: 'pause',
          tone: 'bad',
          tool: tenantSuspend,
          arguments: { targetTenantId, reason: arg.asked('Why is it suspended?') },
          confirm: { object: arg.row('/name'), text: 'Its callers are refused at once, and its streams end.' },
          when: { pointer: '/status', in: ['active'] },
          undo: { tool: tenantReactivate, arguments: { targetTenantId: arg.before('/tenantId') } },
        },
        {
          id: 'reactivate',
          label: 'Reactivate',
          icon: 'play',
          tool: tenantReactivate,
          arguments: { targetTenantId },
          when: { pointer: '/status', in: ['suspended'] },
        },
        {
          id: 'cancel',
          label: 'Cancel',
          icon: 'circle-x',
          tool: cancelTenant,
          arguments: { targetTenantId },
          confirm: { object: arg.row('/name'), text: 'It ends after its time of grace, and its data with it.', typed: true },
          when: { pointer: '/status', in: ['active', 'suspended'] },
        },
      ],
      empty: { text: 'There is no tenant but the local one.', action: 'new-tenant' },
    }),
  ],
})
