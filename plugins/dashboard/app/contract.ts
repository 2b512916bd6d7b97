/** The types of the SDK that this client reads. Types alone: nothing of the SDK is in the bundle. */
import type { ActionView, PanelView as AnyPanelView, AttentionView, DashboardView, PageView } from '@gateway/sdk'

export type { ArgumentView, CallView, FieldView, FilterView, LinkView, SourceView, Tone } from '@gateway/sdk'
export type { ActionView, AttentionView, DashboardView, PageView }

/** A browser's session, as `GET /api/sign-in` returns it. Times are ISO 8601. */
interface Session {
  readonly sessionId: string
  readonly role: string
  readonly tenantId: string
  readonly expiresAt: string
  /** The operator who views the tenant. */
  readonly lookedBy?: string
}
export interface SignInState {
  readonly signedIn: boolean
  readonly session: Session | null
  readonly principal: { readonly id: string; readonly label?: string }
  readonly role: string
  readonly tenantId: string
  readonly lift: { readonly secondsLeft: number | null }
}

export interface ProviderView {
  readonly id: string
  readonly name: string
}
/** The tenants of the person of this browser, as `GET /oauth/tenants` returns them. */
export interface TenantsView {
  readonly provider: string | null
  readonly tenants: readonly { readonly tenantId: string; readonly role: string; readonly current: boolean }[]
}
/** An invitation, as `POST /oauth/invitation` returns it. */
export interface InvitationView {
  readonly tenantId: string
  readonly role: string
  readonly email?: string
  readonly providers: readonly ProviderView[]
}

/** A step of the getting-started list, as `GET /api/dashboard/getting-started` returns it. */
export interface StepView {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly done: boolean
  readonly snippets: readonly { readonly label: string; readonly code: string }[]
  /** Path of the page on which it can be taken. */
  readonly to?: string
}
export interface StepsView {
  readonly steps: readonly StepView[]
  readonly done: number
}

/** A saved view, as `GET /api/dashboard/views` returns it. */
export interface ViewView {
  readonly viewId: string
  readonly name: string
  readonly page: string
  readonly query: string
}

/** A JSON pointer (RFC 6901); '' is the whole value. */
export type Pointer = string
export type Json = Readonly<Record<string, unknown>>

export type PanelView = AnyPanelView
export type PanelOf<K extends PanelView['kind']> = Extract<PanelView, { readonly kind: K }>
export type AskingPanel = Exclude<PanelView, { readonly kind: 'form' }>
