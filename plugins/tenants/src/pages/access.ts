import { definePage, Panel } from '@gateway/sdk'
import { rbacShadow } from '../routes/rbac-shadow.ts'

export const accessPage = definePage({
  path: '/access',
  title: 'Access',
  description: 'Calls that will be refused once roles are enforced.',
  icon: 'shield-alert',
  group: 'access',
  order: 40,
  panels: [
    Panel.stats({
      id: 'state',
      title: 'Enforcement',
      from: rbacShadow,
      items: { Enforced: { value: '/enforced', format: 'boolean' }, 'Kinds of calls': { value: '/count', format: 'number' } },
      empty: 'No results yet.',
    }),
    Panel.table({
      id: 'shadow',
      title: 'Calls that would be refused',
      from: rbacShadow,
      everySeconds: 30,
      rows: '/entries',
      key: '/firstAt',
      columns: {
        Who: '/principal',
        Tenant: '/tenantId',
        Role: { value: '/role', format: 'badge' },
        Called: { value: '/operation', format: 'code' },
        Needs: { value: '/capability', format: 'badge' },
        'Least role': { value: '/leastRole', format: 'badge' },
        Times: { value: '/count', format: 'number' },
        'Last time': { value: '/lastAt', format: 'time' },
      },
      empty: 'No calls beyond the caller’s role.',
    }),
  ],
})
