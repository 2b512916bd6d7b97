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

/**
 * Browsers that are signed in. A session’s life:
 *
 * 1. begun, with an API key, the local token or a one-use code: the cookie has the secret, the store its hash;
 * 2. checked on every call, in the store: what one node ended is void on all of them. A key’s session is the key’s, with its role;
 * 3. lifted by the operator’s token, for 15 minutes: it may use the operator’s routes besides;
 * 4. looking, when the operator goes into a tenant: a session there, a viewer’s unless said, which that tenant sees listed;
 * 5. ended by signing out, from the list, with its key, after its time, or with its tenant.
 */
export default definePlugin({
  id: 'sign-in',
  sdk: '^1.0.0',
  description: 'Signing in with a browser: sessions in place of keys, one-use codes, the operator’s lift and look.',
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
  contributes: [sessionsCheck, codeCheck],
  pages: [browsersPage],
})
