/** The JSON of `GET /api/dashboard/pages` for clients that show the pages, limited to what the caller may see. */
import type { Format, Tone } from './field.ts'
import type { PageGroup, PageHeading } from './page.ts'
import type { PanelWidth } from './panel.ts'

/** The whole dashboard, as one caller sees it. */
export interface DashboardView {
  readonly version: string
  /** Changes when any of the pages changes. */
  readonly revision: string
  readonly caller: { readonly id: string; readonly role: string; readonly tenantId: string }
  /** URL of the event stream. */
  readonly events: string
  /** URL of the attention queue, and the collections that change it. */
  readonly attention: { readonly url: string; readonly live: readonly string[] }
  /** Groups that have a page in the menu, in order. */
  readonly groups: readonly { readonly id: PageGroup; readonly title: string }[]
  readonly pages: readonly PageView[]
  /** Panels of the first page, of all plugins, in order. */
  readonly overview: readonly PanelView[]
}

/** A page with at least one panel that the caller may see. */
export interface PageView {
  readonly path: string
  readonly title: string
  readonly description?: string
  readonly icon: string
  readonly group: PageGroup
  /** True if it is in the menu, that is, its path has no parameters. */
  readonly menu: boolean
  readonly heading?: PageHeading
  readonly plugin: string
  readonly panels: readonly PanelView[]
  readonly actions: readonly ActionView[]
}

/** Source of an argument's value; one that is asked for carries the schema of its field. */
export type ArgumentView =
  | { readonly from: 'value'; readonly value: unknown }
  | { readonly from: 'param'; readonly name: string }
  | { readonly from: 'query'; readonly name: string }
  | { readonly from: 'row'; readonly pointer: string }
  | { readonly from: 'before'; readonly pointer: string }
  | { readonly from: 'column' }
  | { readonly from: 'ago'; readonly seconds: number }
  | { readonly from: 'asked'; readonly label: string; readonly schema: object; readonly required: boolean }

/** Arguments by name. */
export type ArgumentViews = Readonly<Record<string, ArgumentView>>

/** The call of a tool or route: a tool at its own address with its arguments as the body, a route at its path. */
export interface CallView {
  readonly tool: string
  readonly method: string
  readonly url: string
  readonly arguments: ArgumentViews
  /** Arguments that are not in the path go to the query, whatever the method, because the body is a stream. */
  readonly inQuery?: true
  /** Needs the operator: it takes `X-Admin-Token`, or a browser session that a person has lifted with that token. */
  readonly credential?: 'admin'
}

/** Data source of a panel, and the collections that make it stale when they change. */
export interface SourceView extends CallView {
  readonly live: readonly string[]
  readonly everySeconds?: number
  /** Number of rows that the operation returns at most if the panel does not ask for another. */
  readonly limit?: number
}

/** A link to a page that the caller sees. */
export interface LinkView {
  readonly to: string
  readonly with: ArgumentViews
}

/** A value and its format. */
export interface FieldView {
  readonly label: string
  readonly value: string
  readonly beside?: string
  readonly format: Format
  readonly unit?: string
  readonly tones?: Readonly<Record<string, Tone>>
  readonly words?: Readonly<Record<string, string>>
  readonly link?: LinkView
  readonly titleOf?: string
  readonly page?: string
  readonly alarm?: Tone
  readonly trend?: string
  readonly limit?: string | number
  readonly stopsAt?: string | number
}

/** An argument that the page's URL carries. */
export interface FilterView {
  readonly argument: string
  readonly label: string
  readonly kind: 'text' | 'select' | 'toggle' | 'number' | 'time'
  readonly options?: readonly { readonly value: string | number; readonly label: string }[]
  readonly initial?: string | number | boolean
  readonly required: boolean
  readonly placeholder?: string
}

/** An action. */
export interface ActionView extends CallView {
  readonly id: string
  readonly label: string
  readonly icon?: string
  readonly tone: 'neutral' | 'primary' | 'bad'
  readonly effect: 'read' | 'write' | 'destructive'
  /** An object's schema, with the fields to ask for. */
  readonly form?: { readonly schema: object }
  readonly confirm?: { readonly object: ArgumentView; readonly text: string; readonly typed: boolean }
  readonly when?: { readonly pointer: string } & (
    | { readonly in: readonly (string | number | boolean | null)[] }
    | { readonly except: readonly (string | number | boolean | null)[] }
  )
  /** Label of the button that does it to all shown rows. */
  readonly all?: string
  readonly done?: string
  readonly shows?: { readonly kind: 'markdown' | 'json'; readonly text: string }
  readonly leads?: LinkView
  /** The undo call; its pointers point into the answer, those of `when` and `before` into the row as it was. */
  readonly undo?: CallView & Pick<ActionView, 'when'>
}

/** Members of the panels of all kinds but `form`. */
export interface PanelViewBase {
  readonly id: string
  readonly title: string
  readonly width: PanelWidth
  /** Page that the title leads to. */
  readonly link?: LinkView
  readonly source: SourceView
  readonly filters: readonly FilterView[]
  readonly texts: {
    readonly loading: string
    readonly empty: string
    readonly unmatched: string
    readonly failed: string
    /** Shown when the source answers 404. */
    readonly missing?: string
  }
  readonly next?: { readonly action: string } | { readonly link: LinkView }
  readonly paging?: { readonly cursor: string; readonly next: string }
}

interface RowsView {
  readonly rows: string
  readonly key: string
  readonly open?: LinkView
}
interface ActingView {
  readonly actions: readonly ActionView[]
}

/** A panel, by kind: pointers of rows point into one row, all others into the answer. */
export type PanelView =
  | (PanelViewBase &
      (
        | { readonly kind: 'stats'; readonly items: readonly FieldView[] }
        | ({ readonly kind: 'table'; readonly columns: readonly FieldView[]; readonly fields: readonly FieldView[] } & RowsView &
            ActingView)
        | ({
            readonly kind: 'list'
            readonly item: { readonly title: FieldView; readonly text?: FieldView; readonly fields: readonly FieldView[] }
          } & RowsView &
            ActingView)
        | ({
            readonly kind: 'board'
            readonly column: string
            readonly columns: readonly { readonly value: string; readonly label: string; readonly tone: Tone }[]
            readonly card: { readonly title: FieldView; readonly fields: readonly FieldView[] }
            readonly move?: ActionView
          } & RowsView &
            ActingView)
        | ({
            readonly kind: 'detail'
            readonly record: string
            readonly fields: readonly FieldView[]
            readonly names?: string
          } & ActingView)
        | ({
            readonly kind: 'timeline'
            readonly at: string
            readonly head: FieldView
            readonly text?: FieldView
            readonly fields: readonly FieldView[]
          } & RowsView)
        | {
            readonly kind: 'waterfall'
            readonly rows: string
            readonly key: string
            readonly head: FieldView
            readonly start: string
            readonly end: string
            readonly fields: readonly FieldView[]
          }
        | {
            readonly kind: 'series'
            readonly rows: string
            readonly x: string
            readonly lines: readonly FieldView[]
            readonly chart: 'line' | 'bar'
          }
        | { readonly kind: 'heatmap'; readonly rows: string; readonly x: string; readonly lines: readonly FieldView[] }
        | ({
            readonly kind: 'calendar'
            readonly at: string
            readonly until?: string
            readonly head: FieldView
            readonly fields: readonly FieldView[]
          } & RowsView &
            ActingView)
        | {
            readonly kind: 'graph'
            readonly nodes: string
            readonly node: { readonly id: string; readonly label: string; readonly group?: string; readonly after?: string }
            readonly edges?: string
            readonly edge?: { readonly from: string; readonly to: string; readonly label?: string }
            readonly open?: LinkView
          }
        | ({
            readonly kind: 'commits'
            readonly parents: string
            readonly trunk?: string
            readonly at: string
            readonly head: FieldView
            readonly fields: readonly FieldView[]
          } & RowsView)
        | { readonly kind: 'diff'; readonly text: string }
        | {
            readonly kind: 'log'
            readonly rows: string
            readonly text: string
            readonly at?: string
            readonly level?: string
            readonly fields: readonly FieldView[]
          }
        | { readonly kind: 'markdown'; readonly text: string }
      ))
  | {
      readonly id: string
      readonly title: string
      readonly width: PanelWidth
      readonly kind: 'form'
      readonly action: ActionView
    }

/** The attention queue: the JSON of `GET /api/attention`. */
export interface AttentionView {
  /** Number of all waiting items, including those not listed. */
  readonly count: number
  /** True if more items wait than are listed. */
  readonly more: boolean
  /** Newest first. */
  readonly items: readonly {
    readonly id: string
    readonly kind: string
    readonly title: string
    readonly text?: string
    readonly tone: 'info' | 'warn' | 'bad'
    /** ISO 8601. */
    readonly at: string
    /** Number of things that this item represents. */
    readonly count: number
    readonly link?: { readonly path: string; readonly query: Readonly<Record<string, string>> }
  }[]
  /** Actions of the items of each kind, if the caller may call them; the row is the item. */
  readonly actions: Readonly<Record<string, readonly ActionView[]>>
  /** Kinds that could not be read just now. */
  readonly failed: readonly string[]
}
