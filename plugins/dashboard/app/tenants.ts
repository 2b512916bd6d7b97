import { effect, signal } from '@preact/signals'
import { send } from './api.ts'
import type { TenantsView } from './contract.ts'
import { me } from './session.ts'

/** The tenants of the person of this browser; `undefined` until they are known, and where nobody signed in through a provider. */
export const tenants = signal<TenantsView | undefined>(undefined)
/** True while the person is asked which tenant is meant. */
export const choosing = signal(false)

export const askTenant = (): void => void (choosing.value = true)

/** After a sign-in of a person with several tenants the address ends with `#tenant`, which is removed. */
export function takeChoice(): void {
  if (location.hash !== '#tenant') return
  history.replaceState(null, '', location.pathname + location.search)
  choosing.value = true
}

let of = ''
effect(() => {
  const session = me.value?.session?.sessionId
  if (session === undefined || session === of || !me.value?.principal.id.startsWith('member:')) return
  of = session
  void send({ method: 'GET', url: '/oauth/tenants' }).then((answer) => {
    if (answer.ok) tenants.value = answer.data as TenantsView
    else of = ''
  })
})
