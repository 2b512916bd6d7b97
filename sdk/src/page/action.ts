import type { Pointer } from '../pointer.ts'
import type { Operation } from '../tool.ts'
import type { Argument, Arguments } from './argument.ts'
import type { Link } from './field.ts'

/** Something to do: a button, bound to a tool or a route that writes. Who may not call it does not see it. */
export interface Action<Row = never> {
  /** kebab-case, unique in its page. */
  readonly id: string
  readonly label: string
  /** A name of Lucide’s icons. */
  readonly icon?: string
  /** Default: `bad` for what is destructive, else `neutral`. */
  readonly tone?: 'neutral' | 'primary' | 'bad'
  /**
   * A tool or route of this plugin; the name of another’s, without which the action is left out. Of a raw route, whose answer says
   * nothing here, the arguments are those of its path and query.
   */
  readonly tool: Operation | string
  readonly arguments?: Arguments<Row>
  /** Arguments that a form asks for, made of the tool’s input schema; `all` that are not given otherwise. */
  readonly form?: readonly string[] | 'all'
  /** What is destructive has one: the person is shown the name of what goes, and what becomes of it. */
  readonly confirm?: {
    /** What names the object: a title, an id. */
    readonly object: Argument<Pointer<Row>>
    /** What becomes of it, and whether there is a way back. */
    readonly text: string
    /** The name must be typed: for what cannot be had back. */
    readonly typed?: boolean
  }
  /** Only for rows where this pointer leads to one of these; null is absent. */
  readonly when?: { readonly pointer: Pointer<Row>; readonly in: readonly (string | number | boolean | null)[] }
  /** Said when it is done. Default: the label and “done”. */
  readonly done?: string
  /** A part of the answer to be shown afterwards: what is said only once. */
  readonly shows?: { readonly kind: 'markdown' | 'json'; readonly text: string }
  /** Where to go afterwards; its pointers lead into the answer. */
  readonly leads?: Link<unknown>
  /** What takes it back, offered for a few seconds when it is done. */
  readonly undo?: Undo
}

/** What takes an action back. */
export interface Undo {
  /** A tool or route of this plugin; the name of another’s, without which nothing is offered. */
  readonly tool: Operation | string
  /** Their pointers lead into the answer of what was done. */
  readonly arguments?: Arguments<unknown>
}
