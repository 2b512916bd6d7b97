/** What this client reads, in the words of the SDK: types alone, nothing of it is in the bundle. */
import type { ActionView, PanelView as AnyPanelView, AttentionView, DashboardView, PageView } from '@gateway/sdk'

export type { ArgumentView, CallView, FieldView, FilterView, LinkView, SourceView, Tone } from '@gateway/sdk'
export type { ActionView, AttentionView, DashboardView, PageView }

/** A browser’s session, as `GET /api/sign-in` tells of it. Times are ISO 8601. */
interface Session {
  readonly sessionId: string
  readonly role: string
  readonly tenantId: string
  readonly expiresAt: string
  /** The operator, who looks at the tenant. */
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

/** RFC 6901; '' is the whole. */
export type Pointer = string
export type Json = Readonly<Record<string, unknown>>

export type PanelView = AnyPanelView
/** A panel of one kind. */
export type PanelOf<K extends PanelView['kind']> = Extract<PanelView, { readonly kind: K }>
/** A panel that asks for what it shows. */
export type AskingPanel = Exclude<PanelView, { readonly kind: 'form' }>
