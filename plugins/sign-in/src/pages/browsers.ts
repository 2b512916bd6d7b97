import { arg, definePage, Panel } from '@gateway/sdk'
import { endOne } from '../routes/end-one.ts'
import { listSessions } from '../routes/list.ts'

export const browsersPage = definePage({
  path: '/browsers',
  title: 'Browsers',
  description: 'Signed-in browsers: your own, and for admins all of the tenant’s.',
  icon: 'lock-open',
  group: 'access',
  order: 20,
  panels: [
    Panel.table({
      id: 'sessions',
      title: 'Signed-in browsers',
      from: listSessions,
      rows: '/sessions',
      key: '/sessionId',
      columns: {
        Who: '/who',
        Label: '/label',
        Role: { value: '/role', format: 'badge' },
        'This browser': { value: '/current', format: 'boolean' },
        Browser: '/client',
        Since: { value: '/createdAt', format: 'time' },
        Until: { value: '/expiresAt', format: 'time' },
        'Lifted until': { value: '/liftedUntil', format: 'time' },
        'Looks for': '/lookedBy',
      },
      actions: [
        {
          id: 'end',
          label: 'End',
          icon: 'circle-x',
          tone: 'bad',
          tool: endOne,
          arguments: { sessionId: arg.row('/sessionId') },
          confirm: { object: arg.row('/who'), text: 'That browser is asked to sign in again with its next call.' },
          when: { pointer: '/current', in: [false] },
          done: 'The browser is signed out.',
        },
      ],
      empty: 'No browsers are signed in.',
    }),
  ],
})
