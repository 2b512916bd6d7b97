import { valueOf } from '../arguments.ts'
import type { ActionView, Json } from '../contract.ts'
import { at } from '../pointer.ts'
import { plain } from '../text.ts'
import type { Target } from './target.ts'

/** True if an action applies to this row. */
export function applies({ when }: Pick<ActionView, 'when'>, row: unknown): boolean {
  if (!when) return true
  const value = at(row, when.pointer) ?? null
  return 'in' in when ? when.in.includes(value as string) : !when.except.includes(value as string)
}

/** Returns one form for the fields of the action's own form and the arguments that are asked. */
export function formOf(action: ActionView): Json | undefined {
  const asked = Object.entries(action.arguments).flatMap(([name, argument]) =>
    argument.from === 'asked' ? [[name, argument] as const] : [],
  )
  if (asked.length === 0) return action.form?.schema as Json | undefined
  const { properties = {}, required = [] } = (action.form?.schema ?? {}) as { properties?: object; required?: readonly string[] }
  return {
    type: 'object',
    properties: { ...properties, ...Object.fromEntries(asked.map(([name, { label, schema }]) => [name, { ...schema, title: label }])) },
    required: [...required, ...asked.filter(([, argument]) => argument.required).map(([name]) => name)],
  }
}

export function objectOf(action: ActionView, { name, scope }: Target): string {
  const object = action.confirm?.object
  if (object === null || object === undefined) return name
  const value = valueOf(object, '', scope)
  return value === undefined || value === null ? name : plain(value)
}
