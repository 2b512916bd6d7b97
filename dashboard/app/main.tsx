import { effect } from '@preact/signals'
import { render } from 'preact'
import { key } from './api.ts'
import { App } from './app.tsx'
import { connection, listen, onChange } from './live.ts'
import { attend, dashboard, enter } from './session.ts'

/**
 * The dashboard in a browser:
 *
 * 1. it asks which pages there are for this caller, and shows the page of a key where it has to say who it is;
 * 2. it draws the page of the address, and each panel asks for its answer by itself;
 * 3. it listens to what changes, and panels whose collections changed ask again.
 */
render(<App />, document.getElementById('root') as HTMLElement)

effect(() => {
  // A key that was given, or taken back, makes another caller.
  void key.value
  void enter()
})
let heard = ''
effect(() => {
  const wanted = dashboard.value && `${dashboard.value.events} ${key.value ?? ''}`
  if (!wanted || wanted === heard) return
  heard = wanted
  void listen(dashboard.value?.events as string)
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
  if (connection.value === 'live' && !dashboard.peek()) void enter()
})
