import { definePlugin } from '@gateway/sdk'
import { assertions, codes, identities, invitations, members, sessions } from './collections.ts'
import { config } from './config.ts'
import { codeCheck } from './contributions/credential-check.ts'
import { seatsOfPeople } from './contributions/entitlements-counted-use.ts'
import { signInEndpoints } from './contributions/public-endpoints.ts'
import { sessionsCheck } from './contributions/session-check.ts'
import { browsersPage } from './pages/browsers.ts'
import { membersPage } from './pages/members.ts'
import { beginSession } from './routes/begin.ts'
import { changeMember } from './routes/change-member.ts'
import { exchangeCode } from './routes/code.ts'
import { makeCode } from './routes/codes.ts'
import { endSession } from './routes/end.ts'
import { endOne } from './routes/end-one.ts'
import { listInvitations } from './routes/invitations.ts'
import { makeInvitation } from './routes/invite.ts'
import { leaveTenant } from './routes/leave.ts'
import { liftSession } from './routes/lift.ts'
import { listSessions } from './routes/list.ts'
import { lookAtTenant } from './routes/look.ts'
import { listMembers } from './routes/members.ts'
import { removeMember } from './routes/remove-member.ts'
import { revokeInvitation } from './routes/revoke-invitation.ts'
import { stateOfSession } from './routes/state.ts'
import { unliftSession } from './routes/unlift.ts'
import { consentersProvider } from './services/consenters.ts'
import { identityAssertionsProvider } from './services/identity-assertions.ts'
import { signInProvidersProvider } from './services/providers.ts'
import { browserSessionsProvider } from './services/sessions.ts'

/**
 * Signed-in browsers. Life of a session:
 *
 * 1. Begun, with an API key, the local token or a one-use code: the cookie has the secret, the store its hash.
 * 2. Checked on every call, in the store: a session ended on one node is void on all. A key's session belongs to the key, with
 *    its role.
 * 3. Lifted by the operator's token, for 15 minutes: it may also use the operator's routes.
 * 4. Looking, when the operator enters a tenant: a session there, with the role viewer unless said otherwise, which that tenant
 *    sees listed.
 * 5. Ended by signing out, from the list, with its key, after its time, or with its tenant.
 *
 * Life of a member, a person who signs in through a provider:
 *
 * 1. Invited by an admin, with a link that is accepted once, or admitted by a rule of the operator.
 * 2. Signed in: the provider's answer is bound to the browser that began, and the session begins with the member's role.
 * 3. Checked on every call: a changed role holds at once, also for clients that the person has connected.
 * 4. Ended when an admin removes the member, or when no rule admits the person any more.
 */
export default definePlugin({
  id: 'sign-in',
  sdk: '^1.0.0',
  description:
    'Sign-in of browsers: sessions instead of keys, providers (OpenID Connect, GitHub), members and invitations, and the operator’s temporary access.',
  config,
  collections: [sessions, codes, members, identities, invitations, assertions],
  routes: [
    beginSession,
    exchangeCode,
    makeCode,
    stateOfSession,
    endSession,
    listSessions,
    endOne,
    liftSession,
    unliftSession,
    lookAtTenant,
    leaveTenant,
    makeInvitation,
    listInvitations,
    revokeInvitation,
    listMembers,
    changeMember,
    removeMember,
  ],
  provides: [browserSessionsProvider, consentersProvider, signInProvidersProvider, identityAssertionsProvider],
  contributes: [sessionsCheck, codeCheck, signInEndpoints, seatsOfPeople],
  pages: [browsersPage, membersPage],
})
