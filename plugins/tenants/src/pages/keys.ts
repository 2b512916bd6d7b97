import { arg, definePage, Panel } from '@gateway/sdk'
import { listOwnKeys } from '../routes/keys-list.ts'
import { makeOwnKey } from '../routes/keys-make.ts'
import { revokeOwnKey } from '../routes/keys-revoke.ts'
import { keyColumns } from '../rules/key-columns.ts'

export const keysPage = definePage({
  path: '/keys',
  title: 'API keys',
  description: 'API keys: one for each agent and machine, so that each can be identified and revoked separately.',
  icon: 'key-round',
  group: 'access',
  order: 10,
  actions: [
    {
      id: 'new-key',
      label: 'New key',
      icon: 'plus',
      tone: 'primary',
      tool: makeOwnKey,
      form: ['label', 'role', 'environment', 'expiresAt'],
      done: 'The key is made: it is shown this once.',
      shows: { kind: 'json', text: '' },
    },
  ],
  panels: [
    Panel.table({
      id: 'keys',
      title: 'Keys',
      from: listOwnKeys,
      rows: '/keys',
      key: '/keyId',
      columns: keyColumns,
      actions: [
        {
          id: 'revoke',
          label: 'Revoke',
          icon: 'circle-x',
          tool: revokeOwnKey,
          arguments: { keyId: arg.row('/keyId') },
          confirm: { object: arg.row('/keyId'), text: 'It is void from the next call on. What was made with it ends.', typed: true },
        },
      ],
      empty: { text: 'There is no key yet.', action: 'new-key' },
    }),
  ],
})
