import { effect } from '@preact/signals'
import { render } from 'preact'
import { locked } from './api.ts'
import { App } from './app.tsx'
import { connection, listen, onChange } from './live.ts'
import { attend, dashboard, enter, signInByCode } from './session.ts'

/**
 * The dashboard in a browser:
 *
 * 1. it exchanges the code of its address for a session, if there is one;
 * 2. it asks which pages there are for this caller, and asks to sign in where it has to say who it is;
 * 3. it draws the page of the address, and each panel asks for its answer by itself;
 * 4. it listens to what changes, and panels whose collections changed ask again.
 */
render(<App />, document.getElementById('root') as HTMLElement)

void signInByCode().then((became) => (became === 'refused' ? undefined : enter()))
// A link with a code that is opened where the dashboard is open already only changes the end of the address.
window.addEventListener('hashchange', () => void signInByCode().then((became) => became === 'done' && location.reload()))

let heard = ''
effect(() => {
  const wanted = dashboard.value?.events
  if (!wanted || wanted === heard) return
  heard = wanted
  void listen(wanted)
})

/** Many changes in a moment are one question. */
let asksSoon = false
effect(() =>
  onChange(dashboard.value?.attention.live ?? [], () => {
    if (asksSoon) return
    asksSoon = true
    setTimeout(() => {
      asksSoon = false
      void attend()
    }, 1_000)
  }),
)
// What was out of reach is asked for again as soon as the gateway answers.
effect(() => {
  if (connection.value === 'live' && !dashboard.peek() && !locked.peek()) void enter()
})
