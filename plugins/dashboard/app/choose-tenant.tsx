import { useState } from 'preact/hooks'
import { Dialog } from './parts/dialog.tsx'
import { leaveFor } from './providers.ts'
import { choosing, tenants } from './tenants.ts'
import { plain } from './text.ts'

/** Asks in which of their tenants a person wants to be. Another one is entered by a sign-in, so that its rules are checked. */
export function ChooseTenant() {
  const [fault, setFault] = useState('')
  const known = tenants.value
  if (!known || known.tenants.length < 2) return null
  const close = (): void => void (choosing.value = false)
  const enter = async (tenant: string): Promise<void> => {
    const refused = await leaveFor(known.provider ?? '', { tenant })
    if (refused && !refused.ok) setFault(refused.refusal.message)
  }
  return (
    <Dialog title="Which tenant?" close={close}>
      <div class="dialog-body">
        <p>You are a member of {known.tenants.length} tenants.</p>
        {fault !== '' && (
          <p class="note bad" role="alert">
            {plain(fault)}
          </p>
        )}
        <ul class="tenants">
          {known.tenants.map(({ tenantId, role, current }) => (
            <li key={tenantId}>
              <button type="button" class={current ? 'primary' : undefined} onClick={() => (current ? close() : void enter(tenantId))}>
                {current ? 'Stay in' : 'Go to'} {plain(tenantId)}, as {role}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
