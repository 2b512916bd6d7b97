import { batch, computed, effect, signal } from '@preact/signals'
import { type Answer, bindTo, locked, notice, type Refusal, send } from './api.ts'
import { now } from './clock.ts'
import type { AttentionView, DashboardView, SignInState, StepsView } from './contract.ts'
import { notifyAll } from './live.ts'
import { say } from './toasts.ts'

/** The pages of this caller; `undefined` until they are loaded. */
export const dashboard = signal<DashboardView | undefined>(undefined)
export const failure = signal<Refusal | undefined>(undefined)
export const attention = signal<AttentionView | undefined>(undefined)
/** The getting-started list; `undefined` until it is loaded. */
export const steps = signal<StepsView | undefined>(undefined)
export const pages = computed(() => dashboard.value?.pages ?? [])
/** The caller and the session of this browser; `undefined` if the gateway has no sign-in. */
export const me = signal<SignInState | undefined>(undefined)

export async function enter(): Promise<void> {
  const [answer] = await Promise.all([send({ method: 'GET', url: '/api/dashboard/pages' }), whoAmI()])
  if (answer.ok) {
    locked.value = false
    failure.value = undefined
    bindTo((answer.data as DashboardView).caller)
    if (JSON.stringify(answer.data) !== JSON.stringify(dashboard.peek())) dashboard.value = answer.data as DashboardView
    await Promise.all([attend(), askSteps()])
  } else failure.value = answer.refusal
}

export async function attend(): Promise<void> {
  const url = dashboard.peek()?.attention.url
  if (!url) return
  const answer = await send({ method: 'GET', url })
  if (answer.ok) attention.value = answer.data as AttentionView
}

export async function askSteps(): Promise<void> {
  const answer = await send({ method: 'GET', url: '/api/dashboard/getting-started' })
  if (answer.ok && JSON.stringify(answer.data) !== JSON.stringify(steps.peek())) steps.value = answer.data as StepsView
}

const SIGN_IN = '/api/sign-in'

async function whoAmI(): Promise<void> {
  const answer = await send({ method: 'GET', url: SIGN_IN })
  if (!answer.ok) return
  const state = answer.data as SignInState
  batch(() => {
    // Uses this browser's clock, which may be wrong.
    liftEnds.value = Date.now() + (state.lift.secondsLeft ?? 0) * 1_000
    now.value = Date.now()
    me.value = state
  })
}

const others = new BroadcastChannel('gateway.session')
// All tabs share the cookie: a tab must not show another caller's data than it asks as.
others.onmessage = () => location.reload()

/** True if the call to this address made this browser another caller. */
export const changesCaller = (url: string): boolean => url.startsWith(`${SIGN_IN}/look`)

/** Reloads this and the other tabs as the caller that the cookie now names. */
export function beginAnew(address?: string): void {
  others.postMessage('changed')
  if (address === undefined) location.reload()
  else location.assign(address)
}

const whoever = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** Exchanges a key, or the local token, for a session: it is sent this once and stored nowhere. */
export function signIn(key: string): Promise<Answer> {
  return send({ method: 'POST', url: SIGN_IN }, undefined, key === '' ? {} : whoever(key))
}

/** Exchanges the one-use code that an address ends with, `#code=<tenant>:<secret>`, and removes it from the address. */
export async function signInByCode(): Promise<'none' | 'done' | 'refused'> {
  const code = /^#code=(.+):([^:]+)$/.exec(location.hash)
  if (!code) return 'none'
  history.replaceState(null, '', location.pathname + location.search)
  const [, tenantId = '', secret = ''] = code
  // Set first, because a refusal shows the sign-in immediately.
  notice.value = 'This link was used already, or is older than two minutes. Create another with “gateway dashboard”.'
  const answer = await send({ method: 'POST', url: `${SIGN_IN}/code/${encodeURIComponent(tenantId)}` }, undefined, whoever(secret))
  if (answer.ok) {
    notice.value = ''
    others.postMessage('changed')
    return 'done'
  }
  locked.value = true
  return 'refused'
}

export const signOut = (): Promise<void> => end('Sign out', '', () => beginAnew())
export const leave = (): Promise<void> => end('Leave', '/look', () => beginAnew('/'))

/** Ends a right of this browser. A failure is said, because the right then still holds. */
async function end(what: string, path: string, done: () => void): Promise<void> {
  const answer = await send({ method: 'DELETE', url: `${SIGN_IN}${path}` })
  if (answer.ok || answer.refusal.status === 401) done()
  else say({ tone: 'bad', title: `${what}: failed`, text: answer.refusal.message })
}

/** Shows the sign-in for another identity where none is required. */
export const askWho = (): void => void (locked.value = true)

const liftEnds = signal(0)
/** End of this browser's operator rights, in ms since 1970; `undefined` if it has no such rights. */
export const liftedUntil = computed(() => (liftEnds.value > now.value ? liftEnds.value : undefined))

/** The dialog that asks for the operator's token, and the step after it. */
export const lifting = signal<{ readonly next?: (() => void) | undefined } | undefined>(undefined)

export const askLift = (): void => void (me.peek() && (lifting.value = {}))

/** Opens the lift dialog for an operator's call from a browser that is not lifted; `true` if it was opened. */
export function liftFirst({ credential }: { readonly credential?: 'admin' | undefined }, next?: () => void): boolean {
  if (credential !== 'admin' || liftedUntil.peek() !== undefined || !me.peek()) return false
  lifting.value = { next }
  return true
}

/** Grants the operator's routes for a while. Only a session can be lifted: on the gateway's own machine one is created for it. */
export async function lift(token: string): Promise<Answer> {
  if (!me.peek()?.signedIn) {
    const begun = await signIn('')
    if (!begun.ok) return begun
  }
  const answer = await send({ method: 'POST', url: `${SIGN_IN}/lift` }, undefined, { 'x-admin-token': token })
  await whoAmI()
  return answer
}

export const giveBack = (): Promise<void> => end('Give back', '/lift', () => void whoAmI())

let wasLifted = false
effect(() => {
  const isLifted = liftedUntil.value !== undefined
  if (isLifted === wasLifted) return
  wasLifted = isLifted
  // Content that needs the operator's rights appears or disappears with them.
  notifyAll()
  if (!isLifted) say({ tone: 'info', title: 'This browser’s operator access has ended' })
})
