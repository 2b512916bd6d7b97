/** Describes JSON Schema for a reference: as much as a caller needs, on one line. */

export interface Described {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Described
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly rule?: { readonly must: string }
  readonly env?: string
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const number = (value: number): string => value.toLocaleString('en')

/** Returns for example `string, 1 to 200 characters`, `` `P0`, `P1` or `P2` ``, `array, at most 20 items, each string`. */
export function typeText(schema: Described): string {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return alternatives(schema.enum.map(code))
  if (schema.anyOf) return alternatives(schema.anyOf.map(typeText))
  if (schema.type === 'array') return arrayText(schema)
  const limits = limitText(schema) || (schema.rule ? `must ${schema.rule.must}` : '')
  return limits === '' ? baseText(schema) : `${baseText(schema)}, ${limits}`
}

function arrayText({ items, minItems, maxItems }: Described): string {
  const limits = range(minItems, maxItems, ' items')
  const each = items === undefined ? '' : typeText(items)
  if (limits === '') return `array of ${each === '' ? 'any values' : each}`
  return `array, ${limits}${each === '' ? '' : `, each ${each}`}`
}

function baseText(schema: Described): string {
  if (schema.type === 'object' && schema.properties) return `object {${Object.keys(schema.properties).join(', ')}}`
  if (schema.type === undefined) return 'any value'
  return typeof schema.type === 'string' ? schema.type : alternatives(schema.type)
}

function limitText(schema: Described): string {
  if (schema.exclusiveMinimum !== undefined) {
    return `above ${number(schema.exclusiveMinimum)}${schema.maximum === undefined ? '' : `, at most ${number(schema.maximum)}`}`
  }
  return range(schema.minimum, schema.maximum, '') || range(schema.minLength, schema.maxLength, ' characters')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `at most ${number(most ?? 0)}${unit}`
  if (most === undefined) return `at least ${number(least)}${unit}`
  return `${number(least)} to ${number(most)}${unit}`
}

function alternatives(choices: readonly string[]): string {
  const last = choices.at(-1) ?? ''
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`
}

export function defaultText(schema: Described): string {
  return schema.default === undefined ? '' : code(schema.default)
}

/** Returns a Markdown table; a bar within a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
