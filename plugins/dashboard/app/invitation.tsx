import { useEffect, useState } from 'preact/hooks'
import type { InvitationView } from './contract.ts'
import { acceptWithKey, leaveFor, readInvitation } from './providers.ts'
import { plain } from './text.ts'

/** Accepts an invitation: through a provider, or where there is none for a key that is shown once. */
export function Invitation({ secret }: { readonly secret: string }) {
  const [found, setFound] = useState<InvitationView>()
  const [fault, setFault] = useState('')
  const [key, setKey] = useState('')
  useEffect(() => {
    document.title = 'Invitation · Gateway'
    void readInvitation(secret).then((view) => (view ? setFound(view) : setFault('This invitation was used or revoked, or has expired.')))
  }, [])
  const leave = async (provider: string): Promise<void> => {
    const refused = await leaveFor(provider, { invitation: secret })
    if (refused && !refused.ok) setFault(refused.refusal.message)
  }
  const accept = async (): Promise<void> => {
    const answer = await acceptWithKey(secret)
    if (answer.ok) setKey((answer.data as { readonly apiKey: string }).apiKey)
    else setFault(answer.refusal.message)
  }
  return (
    <section class="dialog-body">
      {fault !== '' && (
        <p class="note bad" role="alert">
          {plain(fault)}
        </p>
      )}
      {found && key === '' && (
        <>
          <p>
            You are invited to {plain(found.tenantId)} as {found.role}
            {found.email ? `, with the address ${plain(found.email)}` : ''}.
          </p>
          {found.providers.map(({ id, name }) => (
            <button type="button" key={id} onClick={() => void leave(id)}>
              Accept with {plain(name)}
            </button>
          ))}
          {found.providers.length === 0 && (
            <button type="button" onClick={() => void accept()}>
              Accept and show my key
            </button>
          )}
        </>
      )}
      {key !== '' && (
        <p>
          Your API key, shown this once: <code>{key}</code>. Keep it, and sign in with it below.
        </p>
      )}
    </section>
  )
}
