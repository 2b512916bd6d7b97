import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Answer } from '../api.ts'
import { plain } from '../text.ts'

interface Parts {
  readonly label: string
  readonly hint?: string
  readonly begun?: string
  readonly autocomplete: 'current-password' | 'off'
  readonly send: (secret: string) => Promise<Answer>
  readonly done: () => void
  readonly buttons: (busy: boolean) => ComponentChildren
  readonly children: ComponentChildren
}

/** A form for a secret, which is sent once and then forgotten. */
export function SecretForm({ label, hint, begun = '', autocomplete, send, done, buttons, children }: Parts) {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState(begun)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => input.current?.focus(), [fault])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    const secret = typed.trim()
    // Other characters cannot be sent at all.
    if (!/^[\x21-\x7e]+$/.test(secret)) return setFault('It has a space, or a sign that no key has.')
    setBusy(true)
    const answer = await send(secret)
    setBusy(false)
    if (answer.ok) return done()
    setFault(answer.refusal.message)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div class="dialog-body">
        {children}
        {fault !== '' && (
          <p class="note bad" role="alert" id={`${id}-fault`}>
            {plain(fault)}
          </p>
        )}
        <label class="field">
          {label}
          <input
            ref={input}
            type="password"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            autocomplete={autocomplete}
            spellcheck={false}
            required
            aria-describedby={`${id}-fault ${id}-hint`}
          />
          {hint && <small id={`${id}-hint`}>{hint}</small>}
        </label>
      </div>
      <footer>{buttons(busy)}</footer>
    </form>
  )
}
