import { useEffect, useRef, useState } from 'preact/hooks'
import { key, locked, send, useKey } from './api.ts'
import { Mark } from './navigation.tsx'
import { plain } from './text.ts'

/** Takes a key. It stays in this tab, or with the choice taken off in this page alone, and goes to this gateway only. */
export function SignIn() {
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(true)
  const [fault, setFault] = useState(key.value === null ? '' : 'The gateway does not take this key any more.')
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Sign in · Gateway'
    input.current?.focus()
  }, [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    key.value = typed.trim()
    const answer = await send({ method: 'GET', url: '/api/dashboard/pages' })
    setBusy(false)
    if (!answer.ok && answer.refusal.status !== 404) {
      key.value = null
      setFault(answer.refusal.message)
      input.current?.focus()
      return
    }
    useKey(typed.trim(), { keep })
    locked.value = false
  }
  return (
    <main class="entrance">
      <h1>
        <Mark /> Gateway
      </h1>
      <form onSubmit={(event) => void submit(event)}>
        <p>This gateway wants to know who you are. On its own machine no key is needed.</p>
        {fault !== '' && (
          <p class="note bad" role="alert" id="fault">
            {plain(fault)}
          </p>
        )}
        {/* For keepers of passwords: a key has no other name. */}
        <input type="text" name="username" autocomplete="username" value="gateway" readOnly hidden />
        <label class="field">
          API key
          <input
            ref={input}
            type="password"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            autocomplete="current-password"
            spellcheck={false}
            required
            aria-describedby={fault === '' ? undefined : 'fault'}
            placeholder="gw_…"
          />
        </label>
        <label class="toggle">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
          Keep it until this tab is closed
        </label>
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? 'Asking …' : 'Sign in'}
        </button>
      </form>
    </main>
  )
}
