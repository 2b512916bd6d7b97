import { refuseUnknown } from '../members.ts'
import type { At, Pointer } from '../pointer.ts'
import type { Operation } from '../tool.ts'
import type { Action } from './action.ts'
import type { Arguments } from './argument.ts'
import type { Field, Fields, Link, Tone } from './field.ts'

/** A read tool or route of this plugin, or the name of another plugin's tool, without which the panel is left out. */
export type Source = Operation | string

/** Answer type of a source. */
export type AnswerOf<S> = S extends { readonly handle: (...args: never) => Promise<infer Out> } ? Out : unknown
type Values<T> = string extends keyof T ? T[keyof T] : unknown
/** A row at a pointer: of a list, or of an object by name. */
export type RowAt<S, P extends string> =
  At<AnswerOf<S>, P> extends infer T ? (NonNullable<T> extends readonly (infer Row)[] ? Row : Values<NonNullable<T>>) : unknown

/**
 * A filter: an argument of the source, kept in the page's URL. Its schema decides the control: a choice, a switch, a number, a
 * text; a time if the format is `date-time` or the description begins with “ISO 8601”.
 */
export interface PageFilter {
  readonly argument: string
  /** Default: the argument's name in words. */
  readonly label?: string
  /** Value while the URL has none. */
  readonly initial?: string | number | boolean
  /** The panel loads nothing until it has a value. Default: true if the source requires it. */
  readonly required?: boolean
  readonly placeholder?: string
}

/** Width of a panel on a wide screen; on a narrow one each is as wide as the page. */
export type PanelWidth = 'full' | 'two-thirds' | 'half' | 'third'

/** Members that all panels share. */
export interface PanelBase<Answer> {
  /** kebab-case, unique in its page. */
  readonly id: string
  readonly title: string
  /** Default `full`. */
  readonly width?: PanelWidth
  /** Page that the title leads to: the list behind the figures. */
  readonly link?: Link<never>
  readonly arguments?: Arguments<never>
  /** Arguments of the source to filter by: the name alone, or with details. */
  readonly filters?: readonly (string | PageFilter)[]
  /** Keyset pages: the argument that takes the cursor, and the place of the next one in the answer. */
  readonly paging?: { readonly cursor: string; readonly next: Pointer<Answer> }
  /** Text for an empty panel, with the one next step: an action of the page or a link. */
  readonly empty: string | { readonly text: string; readonly action: string } | { readonly text: string; readonly link: Link<never> }
  /**
   * Texts while it loads, when no row matches the filters, when it failed, and when the source answers 404. Each has a default;
   * that of `missing` is the failure.
   */
  readonly texts?: { readonly loading?: string; readonly unmatched?: string; readonly failed?: string; readonly missing?: string }
  /** Reload interval while the panel is visible, for data that no collection reports. */
  readonly everySeconds?: number
}

interface Bound<S extends Source> extends PanelBase<AnswerOf<S>> {
  readonly from: S
}
interface Rows<S extends Source, P extends string> extends Bound<S> {
  /** Place of the list: each item is a row. An object has one row per member, with its name at `/$key`. */
  readonly rows: P & Pointer<AnswerOf<S>>
}
interface Keyed<S extends Source, P extends string> extends Rows<S, P> {
  /** Identifies a row. */
  readonly key: Pointer<RowAt<S, P>> | '/$key'
}
interface Acting<Row> {
  readonly actions?: readonly Action<Row>[]
}
interface Opening<Row> {
  /** Page that a row opens. */
  readonly open?: Link<Row>
}

/** Members of the panels of each kind. */
export interface PanelSpecs<S extends Source, P extends string, E extends string = string> {
  stats: Bound<S> & { readonly items: Fields<AnswerOf<S>> }
  table: Keyed<S, P> & {
    readonly columns: Fields<RowAt<S, P>>
    /** Fields that are seldom read, folded behind “Details” of each row. */
    readonly fields?: Fields<RowAt<S, P>>
  } & Acting<RowAt<S, P>> &
    Opening<RowAt<S, P>>
  list: Keyed<S, P> & {
    readonly head: Field<RowAt<S, P>>
    readonly text?: Field<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
  } & Acting<RowAt<S, P>> &
    Opening<RowAt<S, P>>
  board: Keyed<S, P> & {
    /** The value that decides a card's column. */
    readonly column: Pointer<RowAt<S, P>>
    readonly columns: readonly { readonly value: string; readonly label?: string; readonly tone?: Tone }[]
    readonly head: Field<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
    /** Action of dropping a card on a column; one of its arguments is `column`. */
    readonly move?: Action<RowAt<S, P>>
  } & Acting<RowAt<S, P>> &
    Opening<RowAt<S, P>>
  detail: Bound<S> & {
    readonly record: P & Pointer<AnswerOf<S>>
    readonly fields: Fields<At<AnswerOf<S>, P>>
    /** Place of the name of the record, which becomes the heading of the page. */
    readonly names?: Pointer<At<AnswerOf<S>, P>>
  } & Acting<At<AnswerOf<S>, P>>
  timeline: Keyed<S, P> & {
    readonly at: Pointer<RowAt<S, P>>
    readonly head: Field<RowAt<S, P>>
    readonly text?: Field<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
  } & Opening<RowAt<S, P>>
  waterfall: Keyed<S, P> & {
    readonly head: Field<RowAt<S, P>>
    /** Begin and end of the row, in milliseconds since 1970; a row without both has no bar. */
    readonly start: Pointer<RowAt<S, P>>
    readonly end: Pointer<RowAt<S, P>>
    /** Shown next to the bar: the duration, the cost, the state. */
    readonly fields?: Fields<RowAt<S, P>>
  }
  series: Rows<S, P> & {
    /** A time, a day or a name. */
    readonly x: Pointer<RowAt<S, P>> | '/$key'
    readonly lines: Fields<RowAt<S, P>>
    /** Default `line`. */
    readonly chart?: 'line' | 'bar'
  }
  heatmap: Rows<S, P> & {
    /** The hour that a row is about. */
    readonly x: Pointer<RowAt<S, P>>
    /** The number that makes an hour darker. */
    readonly lines: Fields<RowAt<S, P>>
  }
  calendar: Keyed<S, P> & {
    readonly at: Pointer<RowAt<S, P>>
    readonly until?: Pointer<RowAt<S, P>>
    readonly head: Field<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
  } & Acting<RowAt<S, P>> &
    Opening<RowAt<S, P>>
  graph: Bound<S> & {
    readonly nodes: P & Pointer<AnswerOf<S>>
    readonly node: {
      readonly id: Pointer<RowAt<S, P>>
      readonly label: Pointer<RowAt<S, P>>
      readonly group?: Pointer<RowAt<S, P>>
      /** List of the ids of nodes that come before it, instead of or besides `edges`. */
      readonly after?: Pointer<RowAt<S, P>>
    }
    readonly edges?: E & Pointer<AnswerOf<S>>
    readonly edge?: { readonly from: Pointer<RowAt<S, E>>; readonly to: Pointer<RowAt<S, E>>; readonly label?: Pointer<RowAt<S, E>> }
  } & Opening<RowAt<S, P>>
  /** Commits with their parents, drawn as lanes. */
  commits: Keyed<S, P> & {
    /** List of the keys of the rows that it follows; a merge has several. */
    readonly parents: Pointer<RowAt<S, P>>
    /** True for the rows of the main line, which takes the first lane. */
    readonly trunk?: Pointer<RowAt<S, P>>
    readonly at: Pointer<RowAt<S, P>>
    readonly head: Field<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
  } & Opening<RowAt<S, P>>
  diff: Bound<S> & { readonly text: Pointer<AnswerOf<S>> }
  log: Rows<S, P> & {
    readonly text: Pointer<RowAt<S, P>>
    readonly at?: Pointer<RowAt<S, P>>
    readonly level?: Pointer<RowAt<S, P>>
    readonly fields?: Fields<RowAt<S, P>>
  }
  markdown: Bound<S> & { readonly text: Pointer<AnswerOf<S>> }
}

/** The kinds of panels. */
export type PanelKind = keyof PanelSpecs<Source, string> | 'form'

/** A panel as stored: the members of its kind, with pointers that the start checks. */
export interface Panel extends Omit<PanelBase<unknown>, 'empty'> {
  readonly kind: PanelKind
  readonly empty?: PanelBase<unknown>['empty']
  /** Absent only for a form. */
  readonly from?: Source
  readonly rows?: string
  readonly record?: string
  readonly names?: string
  readonly nodes?: string
  readonly edges?: string
  readonly key?: string
  readonly column?: string
  readonly at?: string
  readonly until?: string
  readonly start?: string
  readonly end?: string
  readonly level?: string
  readonly parents?: string
  readonly trunk?: string
  readonly x?: string
  readonly text?: Field<unknown>
  readonly head?: Field<unknown>
  readonly items?: Fields<unknown>
  readonly fields?: Fields<unknown>
  readonly lines?: Fields<unknown>
  /** For a table its fields, for a board its columns. */
  readonly columns?: Fields<unknown> | readonly { readonly value: string; readonly label?: string; readonly tone?: Tone }[]
  readonly node?: Readonly<Record<string, string>>
  readonly edge?: Readonly<Record<string, string>>
  readonly chart?: 'line' | 'bar'
  readonly open?: Link<unknown>
  readonly move?: Action<unknown>
  readonly action?: Action<unknown>
  readonly actions?: readonly Action<unknown>[]
}

const BASE = ['id', 'title', 'width', 'link', 'arguments', 'filters', 'paging', 'empty', 'texts', 'everySeconds', 'from'] as const
/** Members of each kind beyond the shared ones. */
const MEMBERS: Readonly<Record<PanelKind, readonly string[]>> = {
  stats: ['items'],
  table: ['rows', 'key', 'columns', 'fields', 'actions', 'open'],
  list: ['rows', 'key', 'head', 'text', 'fields', 'actions', 'open'],
  board: ['rows', 'key', 'column', 'columns', 'head', 'fields', 'move', 'actions', 'open'],
  detail: ['record', 'fields', 'names', 'actions'],
  timeline: ['rows', 'key', 'at', 'head', 'text', 'fields', 'open'],
  waterfall: ['rows', 'key', 'head', 'start', 'end', 'fields'],
  series: ['rows', 'x', 'lines', 'chart'],
  heatmap: ['rows', 'x', 'lines'],
  calendar: ['rows', 'key', 'at', 'until', 'head', 'fields', 'actions', 'open'],
  graph: ['nodes', 'node', 'edges', 'edge', 'open'],
  commits: ['rows', 'key', 'parents', 'trunk', 'at', 'head', 'fields', 'open'],
  diff: ['text'],
  log: ['rows', 'at', 'level', 'text', 'fields'],
  markdown: ['text'],
  form: ['action'],
}

function panel(kind: PanelKind, spec: object): Panel {
  const members = Object.fromEntries([...BASE, ...MEMBERS[kind]].map((name): [string, true] => [name, true]))
  refuseUnknown(`panel ${(spec as { id?: string })?.id}`, spec, members)
  return { kind, ...spec } as Panel
}

type Make<K extends keyof PanelSpecs<Source, string>> = <S extends Source, const P extends string = ''>(spec: PanelSpecs<S, P>[K]) => Panel

/**
 * Panels, by kind. Each is bound to a read tool or route, and to places in its answer by JSON pointers: into the answer
 * (`rows`, `record`, `paging.next`, the items of `stats`), or into one row of it (all others).
 */
export const Panel: {
  readonly [K in Exclude<keyof PanelSpecs<Source, string>, 'graph'>]: Make<K>
} & {
  readonly graph: <S extends Source, const P extends string, const E extends string = ''>(spec: PanelSpecs<S, P, E>['graph']) => Panel
  /** A form that is open on the page: its action says what it asks and what it does. */
  readonly form: (spec: Pick<PanelBase<unknown>, 'id' | 'title' | 'width'> & { readonly action: Action<never> }) => Panel
} = {
  stats: (spec) => panel('stats', spec),
  table: (spec) => panel('table', spec),
  list: (spec) => panel('list', spec),
  board: (spec) => panel('board', spec),
  detail: (spec) => panel('detail', spec),
  timeline: (spec) => panel('timeline', spec),
  waterfall: (spec) => panel('waterfall', spec),
  series: (spec) => panel('series', spec),
  heatmap: (spec) => panel('heatmap', spec),
  calendar: (spec) => panel('calendar', spec),
  graph: (spec) => panel('graph', spec),
  commits: (spec) => panel('commits', spec),
  diff: (spec) => panel('diff', spec),
  log: (spec) => panel('log', spec),
  markdown: (spec) => panel('markdown', spec),
  form: (spec) => panel('form', spec),
}
