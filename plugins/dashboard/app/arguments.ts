import type { ArgumentView, CallView, LinkView } from './contract.ts'
import { at } from './pointer.ts'
import { href } from './router.ts'

/** Sources of arguments. */
export interface Scope {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly row?: unknown
  /** The row as it was when the action began that is taken back. */
  readonly before?: unknown
  readonly column?: string
  readonly asked?: Readonly<Record<string, unknown>>
}

export function valueOf(argument: ArgumentView, name: string, scope: Scope): unknown {
  switch (argument.from) {
    case 'value':
      return argument.value
    case 'param':
      return scope.params[argument.name]
    case 'query':
      return scope.query.get(argument.name) ?? undefined
    case 'row':
      return at(scope.row, argument.pointer)
    case 'before':
      return at(scope.before, argument.pointer)
    case 'column':
      return scope.column
    case 'ago':
      return new Date(Date.now() - argument.seconds * 1000).toISOString()
    case 'asked':
      return scope.asked?.[name]
  }
}

export function argumentsOf(call: Pick<CallView, 'arguments'>, scope: Scope): Record<string, unknown> {
  const all = Object.entries(call.arguments).map(([name, argument]) => [name, valueOf(argument, name, scope)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null))
}

/** Returns the target of a link, or `undefined` when a part of its path is missing. */
export function linkTo(link: LinkView, scope: Scope): string | undefined {
  const values = argumentsOf({ arguments: link.with }, scope)
  let whole = true
  const path = link.to.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    delete values[name]
    if (value === undefined || value === '') whole = false
    return encodeURIComponent(String(value))
  })
  return whole ? href(path, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))) : undefined
}
