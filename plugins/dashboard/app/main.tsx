import { effect } from '@preact/signals'
import { render } from 'preact'
import { locked } from './api.ts'
import { App } from './app.tsx'
import { isHidden } from './clock.ts'
import { takeInvitation } from './invited.ts'
import { connection, listen, onChange } from './live.ts'
import { attend, dashboard, enter, signInByCode } from './session.ts'
import { spaced } from './spaced.ts'
import { takeChoice } from './tenants.ts'

/**
 * The dashboard in a browser:
 *
 * 1. It exchanges the code of its address for a session, if there is one, and shows an invitation.
 * 2. It requests the pages of this caller, and shows the sign-in where the caller must identify itself.
 * 3. It draws the page of the address, and each panel requests its own answer.
 * 4. It subscribes to changes, and panels whose collections changed reload.
 */
takeInvitation()
takeChoice()
render(<App />, document.getElementById('root') as HTMLElement)

void signInByCode().then((became) => (became === 'refused' ? undefined : enter()))
// A link with a code, opened where the dashboard is already open, changes only the fragment of the address.
window.addEventListener('hashchange', () => void signInByCode().then((became) => became === 'done' && location.reload()))
window.addEventListener('hashchange', takeInvitation)

let heard = ''
effect(() => {
  const wanted = dashboard.value?.events
  if (!wanted || wanted === heard) return
  heard = wanted
  void listen(wanted)
})

const attending = spaced(attend, isHidden)
document.addEventListener('visibilitychange', attending.resume)
effect(() => onChange(dashboard.value?.attention.live ?? [], attending.soon))
// Reloads failed content as soon as the gateway answers.
effect(() => {
  if (connection.value === 'live' && !dashboard.peek() && !locked.peek()) void enter()
})
