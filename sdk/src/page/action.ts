import type { Pointer } from '../pointer.ts'
import type { Operation } from '../tool.ts'
import type { Argument, Arguments } from './argument.ts'
import type { Link } from './field.ts'

/** An action: a button, bound to a tool or a route that writes. It is hidden from callers who may not call the tool. */
export interface Action<Row = never> {
  /** kebab-case, unique in its page. */
  readonly id: string
  readonly label: string
  /** Name of a Lucide icon. */
  readonly icon?: string
  /** Default: `bad` for destructive tools, otherwise `neutral`. */
  readonly tone?: 'neutral' | 'primary' | 'bad'
  /**
   * A tool or route of this plugin, or the name of another plugin's, without which the action is left out. For a raw route,
   * whose answer is ignored here, the arguments are those of its path and query.
   */
  readonly tool: Operation | string
  readonly arguments?: Arguments<Row>
  /** Arguments that a form asks for, built from the tool's input schema; `all` means all that have no other source. */
  readonly form?: readonly string[] | 'all'
  /** Required for destructive actions: the person is shown the name of the object and the consequence. */
  readonly confirm?: {
    /** Name of the object: a title or an id. */
    readonly object: Argument<Pointer<Row>>
    /** The consequence, and whether it can be undone. */
    readonly text: string
    /** Requires the person to type the name. Default: true for a destructive action without an `undo`. */
    readonly typed?: boolean
  }
  /** Limits the action to rows where this pointer has one of these values, or none of them; null means absent. */
  readonly when?: { readonly pointer: Pointer<Row> } & (
    | { readonly in: readonly (string | number | boolean | null)[] }
    | { readonly except: readonly (string | number | boolean | null)[] }
  )
  /** Label of a button that does it to all shown rows to which it applies, such as “Acknowledge all”. */
  readonly all?: string
  /** Message on success. Default: the label and “done”. */
  readonly done?: string
  /** Part of the answer that is shown afterwards, for values that are shown only once. */
  readonly shows?: { readonly kind: 'markdown' | 'json'; readonly text: string }
  /** Page to open afterwards; its pointers point into the answer. */
  readonly leads?: Link<unknown>
  /** Undo action, offered for a few seconds after success. */
  readonly undo?: Undo
}

/** Reverts an action. */
export interface Undo {
  /** A tool or route of this plugin, or the name of another plugin's, without which no undo is offered. */
  readonly tool: Operation | string
  /** Pointers into the answer of the action; `arg.before` points into its row as it was. */
  readonly arguments?: Arguments<unknown>
  /** Limits the undo to rows that had one of these values, or none of them. */
  readonly when?: Action<unknown>['when']
}
