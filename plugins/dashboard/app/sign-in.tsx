import { useEffect, useState } from 'preact/hooks'
import { type Answer, notice, send } from './api.ts'
import type { ProviderView, SignInState } from './contract.ts'
import { Invitation } from './invitation.tsx'
import { invitation } from './invited.ts'
import { Mark } from './navigation.tsx'
import { SecretForm } from './parts/secret.tsx'
import { leaveFor, signInProviders } from './providers.ts'
import { beginAnew, dashboard, enter, me, signIn } from './session.ts'
import { plain } from './text.ts'

/** Exchanges a key for a session. The address is unchanged, so the reader returns to the same page. */
export function SignIn() {
  const [local, setLocal] = useState<SignInState>()
  const [providers, setProviders] = useState<readonly ProviderView[]>([])
  const [fault, setFault] = useState('')
  useEffect(() => {
    document.title = 'Sign in · Gateway'
    // The refusal has removed a dead cookie: where this machine is trusted, the caller is known without it.
    void signInProviders().then(setProviders)
    void send({ method: 'GET', url: '/api/sign-in' }).then((answer) => answer.ok && setLocal(answer.data as SignInState))
  }, [])
  const leave = async (provider: string): Promise<void> => {
    const refused = await leaveFor(provider)
    if (refused && !refused.ok) setFault(refused.refusal.message)
  }
  const goOn = (): void => {
    invitation.value = undefined
    if (dashboard.peek()) beginAnew()
    else void enter()
  }
  return (
    <main class="entrance">
      <h1>
        <Mark /> Gateway
      </h1>
      {invitation.value !== undefined && <Invitation secret={invitation.value} />}
      {fault !== '' && (
        <p class="note bad" role="alert">
          {plain(fault)}
        </p>
      )}
      {invitation.value === undefined &&
        providers.map(({ id, name }) => (
          <button type="button" key={id} onClick={() => void leave(id)}>
            Sign in with {plain(name)}
          </button>
        ))}
      <SecretForm
        label="API key, or the local token"
        hint="It is sent once, for a session of this browser. No page keeps it."
        begun={notice.peek() || (me.peek()?.signedIn ? 'Your session has ended: sign in again.' : '')}
        autocomplete="current-password"
        send={async (key) => inWords(await signIn(key))}
        done={beginAnew}
        buttons={(busy) => (
          <>
            {local && (
              <button type="button" onClick={goOn}>
                Go on as {local.role} of {plain(local.tenantId)}, without a key
              </button>
            )}
            <button type="submit" class="primary" aria-disabled={busy}>
              {busy ? 'Asking …' : 'Sign in'}
            </button>
          </>
        )}
      >
        <p>Sign in to this gateway.</p>
        {/* For password managers: a key has no other name. */}
        <input type="text" name="username" autocomplete="username" value="gateway" readOnly hidden />
      </SecretForm>
    </main>
  )
}

const WORDS: Readonly<Record<number, string>> = {
  401: 'The gateway does not accept this key.',
  404: 'Sign-in is disabled: this dashboard works only on the gateway’s own machine.',
}

function inWords(answer: Answer): Answer {
  const message = !answer.ok && WORDS[answer.refusal.status]
  return message ? { ok: false, refusal: { ...answer.refusal, message } } : answer
}
