import type { Inventory } from '@gateway/kernel'
import type { Action, Argument, Operation, Panel, Plugin, RawRoute, Route } from '@gateway/sdk'
import type { LooseSchema } from './schema-walk.ts'

export type Operations = ReadonlyMap<string, Operation>

/** Operations by name. The first plugin keeps a name that a later one takes too: the later one is to blame, not the pages of the first. */
export function operationsOf(plugins: readonly Plugin[]): Operations {
  const operations = new Map<string, Operation>()
  for (const { tools, routes } of plugins)
    for (const operation of [...tools, ...routes]) if (!operations.has(operation.name)) operations.set(operation.name, operation)
  return operations
}

export const operationsIn = ({ tools, routes }: Inventory): Operations =>
  new Map([...tools.values(), ...routes.values()].map(({ item }) => [item.name, item]))

export const nameOf = (bound: Operation | string): string => (typeof bound === 'string' ? bound : bound.name)

export const isRaw = (operation: Operation): operation is RawRoute => 'raw' in operation

/** Reason why a panel cannot read an operation, if any: it reads no streams. */
export const unreadable = (operation: Operation): string | undefined => (isRaw(operation) ? 'is a raw route' : undefined)

const CREDENTIALS: ReadonlySet<Route['credential']> = new Set(['own', 'signed'])

/** Reason why an action cannot call an operation, if any: a page has only the caller's credential. */
export const uncallable = (operation: Operation): string | undefined =>
  CREDENTIALS.has((operation as Route).credential) ? 'is a raw route with a credential of its own' : undefined

export const takesAdminToken = (operation: Operation): boolean => (operation as Partial<Route>).credential?.startsWith('admin') ?? false

export const propertiesOf = ({ input }: Operation): Readonly<Record<string, LooseSchema>> => (input as LooseSchema).properties ?? {}

export const neededBy = (operation: Operation): readonly string[] =>
  ((operation.input as LooseSchema).required ?? []).filter((name) => propertiesOf(operation)[name]?.default === undefined)

export const asArgument = (given: Argument | string | number | boolean): Argument =>
  typeof given === 'object' ? given : { from: 'value', value: given }

export function formFields({ form, arguments: given = {} }: Action<unknown>, operation: Operation): readonly string[] {
  if (form === undefined) return []
  return form === 'all' ? Object.keys(propertiesOf(operation)).filter((name) => !Object.hasOwn(given, name)) : form
}

export const actionsOf = ({ actions = [], move, action }: Panel): readonly Action<unknown>[] => [
  ...actions,
  ...(move ? [move] : []),
  ...(action ? [action] : []),
]

export const parametersOf = (path: string): readonly string[] =>
  path.includes(':') ? [...path.matchAll(/:([A-Za-z0-9_]+)/g)].map((found) => found[1] as string) : []
