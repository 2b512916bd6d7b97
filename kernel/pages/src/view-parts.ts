import {
  type Action,
  type ActionView,
  type Arguments,
  type ArgumentView,
  type ArgumentViews,
  type CallView,
  defined,
  type Field,
  type Fields,
  type FieldView,
  type FilterView,
  type Link,
  type LinkView,
  type Operation,
  type PageFilter,
} from '@gateway/sdk'
import { asArgument, formFields, isRaw, nameOf, neededBy, type Operations, propertiesOf, takesAdminToken } from './bindings.ts'
import { asField } from './panel-fields.ts'
import { type LooseSchema, typesOf } from './schema-walk.ts'

export interface Sight {
  readonly operations: Operations
  readonly paths: ReadonlySet<string>
}

/** A tool has its own address, whatever else it is bound to; a route has its path. */
export function callView(operation: Operation & { readonly kind?: string }, given: Arguments<unknown> = {}): CallView {
  const [method = '', path = ''] =
    operation.kind === 'route' && operation.rest !== undefined ? operation.rest.split(' ') : ['POST', `/api/tools/${operation.name}`]
  return {
    tool: operation.name,
    method,
    url: path,
    arguments: argumentViews(given, operation),
    ...(isRaw(operation) && { inQuery: true }),
    ...(takesAdminToken(operation) && { credential: 'admin' }),
  }
}

function argumentViews(given: Arguments<unknown>, operation?: Operation): ArgumentViews {
  return Object.fromEntries(Object.entries(given).map(([name, raw]) => [name, argumentView(name, asArgument(raw), operation)]))
}

function argumentView(name: string, argument: ReturnType<typeof asArgument>, operation?: Operation): ArgumentView {
  if (argument.from !== 'asked') return argument
  const schema = (operation && propertiesOf(operation)[name]) ?? {}
  return { ...argument, schema, required: operation !== undefined && neededBy(operation).includes(name) }
}

/** Undefined if the caller does not see the page. */
export function linkView(link: Link<unknown> | undefined, { paths }: Sight): LinkView | undefined {
  return link !== undefined && paths.has(link.to) ? { to: link.to, with: argumentViews(link.with ?? {}) } : undefined
}

export function fieldView(label: string, field: Field<unknown>, sight: Sight): FieldView {
  const { value, beside, format = 'text', unit, tones, words, link, titleOf, page, alarm, trend, limit, stopsAt } = asField(field)
  const to = linkView(link, sight)
  return {
    label,
    value,
    format,
    ...defined({ beside, unit, titleOf, page, alarm, trend, limit, stopsAt, words }),
    ...(tones && { tones }),
    ...(to && { link: to }),
  }
}

export const fieldViews = (fields: Fields<unknown> = {}, sight: Sight): readonly FieldView[] =>
  Object.entries(fields).map(([label, field]) => fieldView(label, field, sight))

/** Formats `assignedAgent` as “Assigned agent”. */
export const inWords = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
    .replaceAll(/[_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function filterView(filter: string | PageFilter, operation: Operation): FilterView {
  const {
    argument,
    label = inWords(argument),
    initial,
    required,
    placeholder,
  } = typeof filter === 'string' ? ({ argument: filter } as PageFilter) : filter
  const schema = propertiesOf(operation)[argument] ?? {}
  const options = optionsOf(schema)
  const first = initial ?? (schema.default as string | undefined)
  return {
    argument,
    label,
    kind: kindOf(schema),
    ...(options && { options }),
    ...defined({ initial: first }),
    required: required ?? neededBy(operation).includes(argument),
    ...defined({ placeholder }),
  }
}

function optionsOf(schema: LooseSchema): FilterView['options'] {
  const values = schema.enum ?? schema.anyOf?.flatMap(({ const: value, enum: more }) => (value === undefined ? (more ?? []) : [value]))
  const plain = values?.filter((value): value is string | number => typeof value === 'string' || typeof value === 'number')
  return plain && plain.length > 0 ? plain.map((value) => ({ value, label: inWords(String(value)) })) : undefined
}

/**
 * A time is recognised by its format or by the usual description of times. The name alone is not enough: `to` may be an address.
 */
function isTime(schema: LooseSchema): boolean {
  const { format, description = '' } = schema as { format?: string; description?: string }
  return format === 'date-time' || description.startsWith('ISO 8601')
}

function kindOf(schema: LooseSchema): FilterView['kind'] {
  if (optionsOf(schema)) return 'select'
  const types = typesOf([schema])
  if (types.has('boolean')) return 'toggle'
  if (!types.has('string') && (types.has('number') || types.has('integer'))) return 'number'
  return isTime(schema) ? 'time' : 'text'
}

/** Undefined if the caller may not call its tool. */
export function actionView(action: Action<unknown>, sight: Sight): ActionView | undefined {
  const operation = sight.operations.get(nameOf(action.tool))
  if (operation === undefined) return undefined
  const { id, label, icon, confirm, when, all, done, shows } = action
  const fields = formFields(action, operation)
  const leads = linkView(action.leads, sight)
  const undo = action.undo && sight.operations.get(nameOf(action.undo.tool))
  const cannotBeUndone = operation.effect === 'destructive' && action.undo === undefined
  return {
    id,
    label,
    ...defined({ icon }),
    tone: action.tone ?? (operation.effect === 'destructive' ? 'bad' : 'neutral'),
    effect: operation.effect,
    ...callView(operation, action.arguments),
    ...(fields.length > 0 && { form: { schema: formSchema(operation, fields) } }),
    ...(confirm && {
      confirm: { object: argumentView('', confirm.object), text: confirm.text, typed: confirm.typed ?? cannotBeUndone },
    }),
    ...(when && { when }),
    ...defined({ all, done }),
    ...(shows && { shows }),
    ...(leads && { leads }),
    ...(undo && { undo: { ...callView(undo, action.undo?.arguments), ...defined({ when: action.undo?.when }) } }),
  }
}

export const actionViews = (actions: readonly Action<unknown>[] = [], sight: Sight): readonly ActionView[] =>
  actions.flatMap((action) => actionView(action, sight) ?? [])

/** The fields of the input schema that the form asks for, in the page's order; a time has the format of one. */
function formSchema(operation: Operation, fields: readonly string[]): object {
  const { required = [] } = operation.input as LooseSchema
  const properties = propertiesOf(operation)
  return {
    type: 'object',
    required: required.filter((name) => fields.includes(name)),
    properties: Object.fromEntries(fields.map((name) => [name, fieldSchema(properties[name])])),
    additionalProperties: false,
  }
}

function fieldSchema(schema: LooseSchema | undefined): object | undefined {
  return schema && [schema, ...(schema.anyOf ?? [])].some(isTime) ? { ...schema, format: 'date-time' } : schema
}
