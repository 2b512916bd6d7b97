import { Dialog } from './parts/dialog.tsx'
import { SecretForm } from './parts/secret.tsx'
import { lift, lifting, me } from './session.ts'

export function LiftDialog() {
  const asked = lifting.value
  if (!asked) return null
  const close = (): void => void (lifting.value = undefined)
  return (
    <Dialog title="Lift this browser" close={close}>
      <SecretForm
        label="Operator’s token"
        hint="ADMIN_API_TOKEN. It is sent once, and kept nowhere."
        autocomplete="off"
        send={lift}
        done={() => {
          close()
          // Runs after the dialog has returned the focus.
          if (asked.next) setTimeout(asked.next)
        }}
        buttons={(busy) => (
          <>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button type="submit" class="primary" aria-disabled={busy}>
              {busy ? 'Asking …' : 'Lift'}
            </button>
          </>
        )}
      >
        <p>
          With the operator’s token this browser uses the operator’s routes for 15 minutes
          {!me.value?.signedIn && ', and is signed in for that'}.
        </p>
      </SecretForm>
    </Dialog>
  )
}
