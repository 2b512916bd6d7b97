import { arg, definePage, Panel } from '@gateway/sdk'
import { listGrants } from '../routes/grants.ts'
import { revokeGrant } from '../routes/revoke.ts'

export const grantsPage = definePage({
  path: '/oauth-grants',
  title: 'Connected clients',
  description: 'Clients that may call over OAuth: your own, and for admins all of the tenant’s.',
  icon: 'lock-open',
  group: 'access',
  order: 30,
  panels: [
    Panel.table({
      id: 'grants',
      title: 'Grants',
      from: listGrants,
      rows: '/grants',
      key: '/grantId',
      columns: {
        Client: '/client',
        'Client id': '/clientId',
        Who: '/who',
        Scopes: '/scopes',
        Since: { value: '/createdAt', format: 'time' },
        'Last token': { value: '/usedAt', format: 'time' },
        Until: { value: '/expiresAt', format: 'time' },
      },
      actions: [
        {
          id: 'revoke',
          label: 'Revoke',
          icon: 'circle-x',
          tone: 'bad',
          tool: revokeGrant,
          arguments: { grantId: arg.row('/grantId') },
          confirm: { object: arg.row('/client'), text: 'The client is refused from its next call on, and has to ask again.' },
          done: 'The grant has ended.',
        },
      ],
      empty: 'No clients yet. A client appears here when a person grants it access.',
    }),
  ],
})
