import type { Argument, Arguments, Link, Operation } from '@gateway/sdk'
import { asArgument, type Operations, propertiesOf } from './bindings.ts'
import { type LooseSchema, pointerResolves, schemasAt, typeName, typesOf } from './schema-walk.ts'

/** Scope of a panel or action: the parameters of its page, and the running operations. */
export interface Scene {
  readonly params: readonly string[]
  /** Operations of the plugin itself. */
  readonly own: Operations
  readonly operations: Operations
  readonly links: (link: Link<unknown>) => string | undefined
}

export interface Reach {
  /** Schemas that a pointer points into; absent if there is no row. */
  readonly row?: readonly LooseSchema[] | undefined
  /** Schemas of the row that an undo restores. */
  readonly before?: readonly LooseSchema[] | undefined
  /** True if a card is dropped on a column. */
  readonly column?: boolean
  /** True if a person can be asked. */
  readonly asked?: boolean
}

/** Faults of the arguments passed to an operation: each must exist, and its value must fit. */
export function argumentFaults(operation: Operation, given: Arguments<unknown>, scene: Scene, reach: Reach): string[] {
  const properties = propertiesOf(operation)
  return Object.entries(given).flatMap(([name, raw]) => {
    const property = properties[name]
    if (property === undefined) return [`${operation.name} has no argument ${name}; it has ${Object.keys(properties).join(', ') || 'none'}`]
    const argument = asArgument(raw)
    const what = originFault(argument, scene, reach) ?? fitFault(argument, property, reach)
    return what === undefined ? [] : [`argument ${name}: ${what}`]
  })
}

/** Faults of a link's parameters, which are texts. */
export function linkFaults(link: Link<unknown>, scene: Scene, reach: Reach): string[] {
  const what = scene.links(link)
  const wrong = Object.entries(link.with ?? {}).flatMap(([name, given]) => {
    const fault = originFault(asArgument(given), scene, reach)
    return fault === undefined ? [] : [`the link to ${link.to}: ${name}: ${fault}`]
  })
  return [...(what === undefined ? [] : [what]), ...wrong]
}

export function originFault(
  argument: Argument,
  { params }: Scene,
  { row, before, column = false, asked = false }: Reach,
): string | undefined {
  switch (argument.from) {
    case 'param':
      return params.includes(argument.name) ? undefined : `:${argument.name} is no parameter of the page’s path`
    case 'row':
      if (row === undefined) return `there is no row for ${argument.pointer} to point into`
      return pointerFault(row, argument.pointer)
    case 'before':
      if (before === undefined) return 'the row as it was is known to the undo of a row’s action alone'
      return pointerFault(before, argument.pointer)
    case 'column':
      return column ? undefined : 'there is no column but where a card is moved'
    case 'asked':
      return asked ? undefined : 'a person is asked by an action, not by a panel'
    case 'value':
    case 'query':
    case 'ago':
      return undefined
    default:
      return `it comes from ${JSON.stringify((argument as { from?: unknown }).from)}, which is nowhere`
  }
}

export function pointerFault(schemas: readonly LooseSchema[], pointer: string): string | undefined {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return `${JSON.stringify(pointer)} is no JSON pointer`
  if (pointerResolves(schemas, pointer)) return undefined
  const names = [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  return `${pointer} leads nowhere${names.length > 0 ? `; there are ${names.slice(0, 40).join(', ')}` : ''}`
}

function fitFault(argument: Argument, property: LooseSchema, reach: Reach): string | undefined {
  const wanted = typesOf([property])
  if (wanted.size === 0) return undefined
  const given = givenTypes(argument, reach)
  if (given.size > 0 && ![...given].some((type) => fits(type, wanted)))
    return `it takes ${[...wanted].join(' or ')}; got ${[...given].join(' or ')}`
  if (argument.from !== 'value' || property.enum === undefined || property.enum.includes(argument.value)) return undefined
  return `it is one of ${property.enum.join(', ')}; got ${JSON.stringify(argument.value)}`
}

const fits = (type: string, wanted: ReadonlySet<string>): boolean =>
  wanted.has(type) || (type === 'integer' && wanted.has('number')) || (type === 'number' && wanted.has('integer'))

function givenTypes(argument: Argument, { row = [], before = [] }: Reach): ReadonlySet<string> {
  if (argument.from === 'value') return new Set([typeName(argument.value)])
  if (argument.from === 'row') return typesOf(schemasAt(row, argument.pointer))
  if (argument.from === 'before') return typesOf(schemasAt(before, argument.pointer))
  return new Set(argument.from === 'ago' ? ['string'] : [])
}
