import { definePlugin } from '@gateway/sdk'
import { codes, sessions } from './collections.ts'
import { config } from './config.ts'
import { codeCheck } from './contributions/credential-check.ts'
import { sessionsCheck } from './contributions/session-check.ts'
import { browsersPage } from './pages/browsers.ts'
import { beginSession } from './routes/begin.ts'
import { exchangeCode } from './routes/code.ts'
import { makeCode } from './routes/codes.ts'
import { endSession } from './routes/end.ts'
import { endOne } from './routes/end-one.ts'
import { leaveTenant } from './routes/leave.ts'
import { liftSession } from './routes/lift.ts'
import { listSessions } from './routes/list.ts'
import { lookAtTenant } from './routes/look.ts'
import { stateOfSession } from './routes/state.ts'
import { unliftSession } from './routes/unlift.ts'
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
 */
export default definePlugin({
  id: 'sign-in',
  sdk: '^1.0.0',
  description:
    'Browser sign-in: sessions instead of keys, one-use codes, and the operator’s temporary access to its routes and to tenants.',
  config,
  collections: [sessions, codes],
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
  ],
  provides: [browserSessionsProvider],
  contributes: [sessionsCheck, codeCheck],
  pages: [browsersPage],
})
