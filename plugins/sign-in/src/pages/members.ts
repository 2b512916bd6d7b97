import { arg, definePage, Panel } from '@gateway/sdk'
import { changeMember } from '../routes/change-member.ts'
import { listInvitations } from '../routes/invitations.ts'
import { makeInvitation } from '../routes/invite.ts'
import { listMembers } from '../routes/members.ts'
import { removeMember } from '../routes/remove-member.ts'
import { revokeInvitation } from '../routes/revoke-invitation.ts'

export const membersPage = definePage({
  path: '/members',
  title: 'Members',
  description: 'People who sign in through a provider, and invitations that wait.',
  icon: 'users',
  group: 'access',
  order: 15,
  actions: [
    {
      id: 'invite',
      label: 'Invite',
      icon: 'plus',
      tone: 'primary',
      tool: makeInvitation,
      form: ['role', 'email', 'days'],
      done: 'The invitation is made: send the link, which is shown this once.',
      shows: { kind: 'json', text: '' },
    },
  ],
  panels: [
    Panel.table({
      id: 'members',
      title: 'Members',
      from: listMembers,
      rows: '/members',
      key: '/memberId',
      columns: {
        Name: '/name',
        'E-mail': '/email',
        Role: { value: '/role', format: 'badge' },
        Provider: '/provider',
        'Admitted by': '/source',
        Since: { value: '/createdAt', format: 'time' },
        'Last sign-in': { value: '/signedInAt', format: 'time' },
      },
      actions: [
        {
          id: 'change-role',
          label: 'Change role',
          icon: 'pencil',
          tool: changeMember,
          arguments: { memberId: arg.row('/memberId') },
          form: ['role'],
          when: { pointer: '/source', in: ['invitation'] },
          done: 'The role is changed.',
          undo: { tool: changeMember, arguments: { memberId: arg.before('/memberId'), role: arg.before('/role') } },
        },
        {
          id: 'remove',
          label: 'Remove',
          icon: 'circle-x',
          tone: 'bad',
          tool: removeMember,
          arguments: { memberId: arg.row('/memberId') },
          confirm: {
            object: arg.row('/memberId'),
            text: 'The person’s browsers, connected clients and API keys are refused from the next call on; keys that were made with these keys end too.',
          },
          done: 'The member is removed.',
        },
      ],
      empty: 'No members yet. A person appears here after the first sign-in through a provider.',
    }),
    Panel.table({
      id: 'invitations',
      title: 'Invitations',
      from: listInvitations,
      rows: '/invitations',
      key: '/invitationId',
      columns: {
        'E-mail': '/email',
        Role: { value: '/role', format: 'badge' },
        'Invited by': '/createdBy',
        Since: { value: '/createdAt', format: 'time' },
        Until: { value: '/expiresAt', format: 'time' },
      },
      actions: [
        {
          id: 'revoke',
          label: 'Revoke',
          icon: 'circle-x',
          tone: 'bad',
          tool: revokeInvitation,
          arguments: { invitationId: arg.row('/invitationId') },
          confirm: { object: arg.row('/invitationId'), text: 'Its link is void from then on.' },
          done: 'The invitation is revoked.',
        },
      ],
      empty: { text: 'No invitations wait.', action: 'invite' },
    }),
  ],
})
