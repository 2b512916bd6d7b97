import { now } from './clock.ts'
import { Menu } from './parts/menu.tsx'
import { Time } from './parts/value.tsx'
import { href } from './router.ts'
import { askLift, askWho, dashboard, giveBack, leave, liftedUntil, me, signOut } from './session.ts'
import { askTenant, tenants } from './tenants.ts'
import { plain } from './text.ts'

export function Account() {
  const { caller } = dashboard.value as NonNullable<typeof dashboard.value>
  const state = me.value
  const session = state?.session
  const name = plain(state?.principal.label ?? caller.id)
  return (
    <>
      <Lifted />
      <span class="who" title={`${caller.id} in ${caller.tenantId}`}>
        <bdi>{name}</bdi> <span class="caller">{caller.role}</span>
      </span>
      {state && (
        <Menu label="Your account">
          <p>
            {name}, {caller.role} of <bdi>{plain(caller.tenantId)}</bdi>
          </p>
          {caller.role === 'operator' && liftedUntil.value === undefined && (
            <button type="button" onClick={askLift}>
              Lift with the operator’s token …
            </button>
          )}
          {tenants.value && tenants.value.tenants.length > 1 && (
            <button type="button" onClick={askTenant}>
              Switch the tenant …
            </button>
          )}
          <a href={href('/browsers')}>Browsers that are signed in</a>
          {session ? (
            <button type="button" onClick={() => void signOut()}>
              Sign out
            </button>
          ) : (
            <button type="button" onClick={askWho}>
              Sign in as somebody else …
            </button>
          )}
        </Menu>
      )}
    </>
  )
}

function Lifted() {
  const until = liftedUntil.value
  if (until === undefined) return null
  const minutes = Math.ceil((until - now.value) / 60_000)
  return (
    <span class="lifted">
      <span>
        <span class="long">Operator’s rights: </span>
        {minutes} min
      </span>
      <button type="button" class="small" onClick={() => void giveBack()}>
        Give back
      </button>
    </span>
  )
}

/** Names the tenant on display while it is not the caller's own. */
export function Looking() {
  const session = me.value?.session
  if (!session?.lookedBy) return null
  return (
    <aside class="looking" aria-label="Looking at a tenant">
      <p>
        You look at <bdi>{plain(session.tenantId)}</bdi> as {session.role}, until <Time value={session.expiresAt} />.
      </p>
      <button type="button" onClick={() => void leave()}>
        Leave
      </button>
    </aside>
  )
}
