/** What this client reads, in the words of the SDK: types alone, nothing of it is in the bundle. */
import type { ActionView, PanelView as AnyPanelView, AttentionView, DashboardView, PageView } from '@gateway/sdk'

export type { ArgumentView, CallView, FieldView, FilterView, LinkView, SourceView, Tone } from '@gateway/sdk'
export type { ActionView, AttentionView, DashboardView, PageView }
/** RFC 6901; '' is the whole. */
export type Pointer = string
export type Json = Readonly<Record<string, unknown>>

export type PanelView = AnyPanelView
/** A panel of one kind. */
export type PanelOf<K extends PanelView['kind']> = Extract<PanelView, { readonly kind: K }>
/** A panel that asks for what it shows. */
export type AskingPanel = Exclude<PanelView, { readonly kind: 'form' }>
