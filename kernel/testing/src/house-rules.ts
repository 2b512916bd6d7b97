import { commonErrors, type Operation, type Plugin } from '@gateway/sdk'
import { explain, lazyValidator } from '@gateway/validation'

/** Promise that every plugin keeps, and a function that finds violations. A fault is a sentence that names its place. */
export interface HouseRule {
  readonly promise: string
  readonly faults: (plugin: Plugin) => readonly string[]
}

/**
 * Rules that agents, operators and generated documents rely on beyond what boot refuses: boot checks that a plugin can run, these
 * check that it can be understood.
 */
export const houseRules: readonly HouseRule[] = [
  { promise: 'the plugin says what it is in a sentence', faults: (plugin) => sentenceFaults('plugin', plugin.description) },
  {
    promise: 'every tool and route says what it does and what comes back',
    faults: (plugin) => operations(plugin).flatMap(descriptionFaults),
  },
  { promise: 'every argument explains itself', faults: (plugin) => operations(plugin).flatMap(argumentFaults) },
  { promise: 'arguments are listed one by one', faults: (plugin) => plugin.tools.flatMap(combinatorFaults) },
  { promise: 'capability and effect agree', faults: (plugin) => operations(plugin).flatMap(capabilityFaults) },
  { promise: 'hints and effect agree', faults: (plugin) => operations(plugin).flatMap(hintFaults) },
  { promise: 'REST bindings keep to the meaning of their method', faults: (plugin) => operations(plugin).flatMap(restFaults) },
  { promise: 'results are objects', faults: (plugin) => operations(plugin).flatMap(outputFaults) },
  {
    promise: 'declared errors are well formed',
    faults: ({ tools, routes, contributes }) => [
      ...[...tools, ...routes].flatMap(({ name, errors }) => errorFaults(name, errors)),
      ...contributes.flatMap(({ to, errors = [] }) => errorFaults(`the contribution to ${to.id}`, errors)),
    ],
  },
  { promise: 'collections key, index and search fields that exist', faults: (plugin) => plugin.collections.flatMap(collectionFaults) },
  { promise: 'settings are closed, described, and need no value', faults: configFaults },
  { promise: 'what is stored or scheduled carries the plugin’s id', faults: ownNameFaults },
]

interface LooseSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: unknown
  readonly const?: unknown
  readonly default?: unknown
  readonly env?: string
  readonly properties?: Readonly<Record<string, LooseSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: LooseSchema
  readonly anyOf?: readonly LooseSchema[]
}

const operations = (plugin: Plugin): readonly Operation[] => [...plugin.tools, ...plugin.routes]
const propertiesOf = (schema: object) => Object.entries((schema as LooseSchema).properties ?? {})

function sentenceFaults(where: string, text: string): string[] {
  const faults: string[] = []
  if (text.length < 20 || text.length > 600) faults.push(`${where}: a description has 20 to 600 characters, this has ${text.length}`)
  if (!/^[\p{Lu}`]/u.test(text)) faults.push(`${where}: a description begins with a capital letter`)
  if (!text.endsWith('.')) faults.push(`${where}: a description ends with a full stop`)
  return faults
}

const MAX_SENTENCES = 3

function descriptionFaults({ name, description }: Operation): string[] {
  const faults = sentenceFaults(name, description)
  const sentences = description.split(/[.!?]\s+(?=[\p{Lu}`])/u).length
  if (sentences > MAX_SENTENCES) faults.push(`${name}: a description has 1 to ${MAX_SENTENCES} sentences, this has ${sentences}`)
  if (!/\b(returns?|answers?|gives?|lists?)\b/i.test(description)) {
    faults.push(`${name}: the description does not say what comes back (“Returns …”, “List …”)`)
  }
  return faults
}

/**
 * A good name says what a string is, and an enumeration lists its values. A number has a unit, a flag a meaning when set, a list
 * and an object have parts: those need a few words, which every agent that sees the tool pays for in context.
 */
function argumentFaults({ name, input }: Operation): string[] {
  return propertiesOf(input)
    .filter(([, schema]) => schema.type !== 'string' && !isEnumeration(schema) && !schema.description?.trim())
    .map(([argument]) => `${name}: the argument ${argument} has no description`)
}

function isEnumeration({ enum: values, const: value, anyOf }: LooseSchema): boolean {
  return values !== undefined || value !== undefined || (anyOf?.every(isEnumeration) ?? false)
}

/** Some hosts refuse a whole list for one tool whose schema has a combinator at its top. */
function combinatorFaults({ name, input }: Operation): string[] {
  const used = ['anyOf', 'oneOf', 'allOf', 'not', 'if'].filter((keyword) => keyword in input)
  return used.map((keyword) => `${name}: the input schema has ${keyword} at its top, which some MCP hosts refuse`)
}

/** A read-only caller may still sign in and out, authorize clients and keep views of pages: that changes nothing of anyone else. */
const OF_ONESELF = /^(?:(?:sign-in|oauth)\.|dashboard\.(?:save|delete)-view$)/

function capabilityFaults({ name, capability, effect, description }: Operation): string[] {
  if (effect !== 'read')
    return capability === 'read' && !OF_ONESELF.test(name) ? [`${name}: it changes something, so the capability read is too little`] : []
  if (capability === 'read' || description.includes(capability)) return []
  return [`${name}: it only reads, yet needs the capability ${capability}; the description must name it`]
}

function hintFaults({ name, effect, idempotent }: Operation): string[] {
  return effect === 'read' && !idempotent ? [`${name}: it only reads, so calling it twice changes no more than calling it once`] : []
}

function restFaults({ name, rest, effect, status, input }: Operation): string[] {
  const faults: string[] = []
  if (status < 200 || status > 299) faults.push(`${name}: ${status} is no status of success`)
  if (rest === undefined) return faults
  const [method, path = ''] = rest.split(' ')
  if (!/^(\/:?[A-Za-z0-9._-]+)+$/.test(path)) faults.push(`${name}: ${path} is no path`)
  if (effect === 'read' && method !== 'GET' && method !== 'POST') faults.push(`${name}: it only reads, so it is bound to GET, or to POST`)
  if (method === 'GET') {
    for (const [argument, schema] of propertiesOf(input)) {
      if (schema.type === 'object' || schema.items?.type === 'object')
        faults.push(`${name}: a query string cannot carry the object ${argument}`)
    }
  }
  return faults
}

function outputFaults({ name, output }: Operation): string[] {
  return (output as LooseSchema).type === 'object' ? [] : [`${name}: the output schema is not an object`]
}

function errorFaults(name: string, errors: Operation['errors']): string[] {
  const common = new Set(commonErrors.map(({ code }) => code))
  return errors.flatMap(({ code, status, description }, at) => {
    const faults = sentenceFaults(`${name}: ${code}`, description)
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)) faults.push(`${name}: the error code ${code} is not UPPER_SNAKE`)
    if (status < 400 || status > 599) faults.push(`${name}: ${code} has the status ${status}, which is no error`)
    if (common.has(code)) faults.push(`${name}: ${code} is open to every tool and needs no declaration`)
    if (errors.findIndex((error) => error.code === code) !== at) faults.push(`${name}: ${code} is declared twice`)
    return faults
  })
}

function collectionFaults({ id, schema, key, indexes, text }: Plugin['collections'][number]): string[] {
  const fields = new Set(propertiesOf(schema).map(([field]) => field))
  const faults: string[] = []
  const expect = (field: string, what: string): void => {
    if (!fields.has(field)) faults.push(`${id}: ${what} ${field} is no field of its schema`)
  }
  expect(key, 'the key')
  for (const field of text) expect(field, 'the searched field')
  for (const index of indexes) {
    const keys = Object.keys(index.keys)
    if (keys.length === 0) faults.push(`${id}: an index without keys`)
    for (const field of keys) expect(field, 'the indexed field')
    if (index.present !== undefined) expect(index.present, 'the field of a partial index')
    if (index.expireAfterSeconds !== undefined && keys.length !== 1) faults.push(`${id}: an expiring index has one key`)
  }
  return faults
}

function configFaults({ config }: Plugin): string[] {
  if (config === undefined) return []
  const { required = [], additionalProperties } = config.schema as LooseSchema
  const faults = additionalProperties === false ? [] : [`${config.id}: the settings are not closed`]
  for (const [name, setting] of propertiesOf(config.schema)) {
    if (!setting.description?.trim()) faults.push(`${config.id}: the setting ${name} has no description`)
    if (required.includes(name) && setting.default === undefined)
      faults.push(`${config.id}: the setting ${name} has no default and is not optional`)
    if (setting.env !== undefined && !/^[A-Z][A-Z0-9_]*$/.test(setting.env))
      faults.push(`${config.id}: ${setting.env} is no name of a variable`)
  }
  const fault = lazyValidator(config.schema)({})
  if (fault) faults.push(`${config.id}: a default is no setting: ${explain(fault).message}`)
  return faults
}

function ownNameFaults({ id, collections, jobs, config }: Plugin): string[] {
  const named = [...collections, ...jobs, ...(config ? [config] : [])]
  return named
    .filter((ref) => ref.id !== id && !ref.id.startsWith(`${id}.`))
    .map((ref) => `the ${ref.kind} ${ref.id} is named ${id} or ${id}.…`)
}
