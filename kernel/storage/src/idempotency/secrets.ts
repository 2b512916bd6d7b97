import { isSecretName } from '@gateway/sdk/redact'

interface Part {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Part>>
  readonly patternProperties?: Readonly<Record<string, Part>>
  readonly additionalProperties?: Part | boolean
  readonly items?: Part
  readonly anyOf?: readonly Part[]
  readonly oneOf?: readonly Part[]
  readonly allOf?: readonly Part[]
}

/** The parts of an answer that its schema marks with `secret: true`: all of it, or those of its members and items. */
type Marked =
  | true
  | { readonly members: ReadonlyMap<string, Marked>; readonly others: Marked | undefined; readonly items: Marked | undefined }

const SECRET = 'This secret was shown once, in the first answer, and is not stored.'
const known = new WeakMap<object, { readonly marked: Marked | undefined }>()

/** Collects the marks of a schema, once. */
function marksOf(schema: object): Marked | undefined {
  let found = known.get(schema)
  if (found === undefined) known.set(schema, (found = { marked: marked([schema]) }))
  return found.marked
}

/** The marks of a value that may meet any of these schemas. */
function marked(schemas: readonly Part[]): Marked | undefined {
  const parts = schemas.flatMap(branches)
  if (parts.some(({ secret }) => secret === true)) return true
  const members = new Map<string, Marked>()
  for (const name of new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))) {
    const found = marked(parts.flatMap(({ properties = {} }) => properties[name] ?? []))
    if (found) members.set(name, found)
  }
  const others = parts.flatMap(({ patternProperties = {}, additionalProperties }) => [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ])
  const items = parts.flatMap((part) => part.items ?? [])
  const [ofOthers, ofItems] = [others, items].map((some) => (some.length === 0 ? undefined : marked(some)))
  return members.size === 0 && !ofOthers && !ofItems ? undefined : { members, others: ofOthers, items: ofItems }
}

const branches = (part: Part): readonly Part[] => [
  part,
  ...[...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])].flatMap(branches),
]

/** The result of an operation with this output schema, without what the schema or a name marks as secret; adds their paths to `omitted`. */
export function withoutSecrets(result: object, schema: object, omitted: string[]): object {
  return without(result, marksOf(schema), '', omitted) as object
}

/** Returns the value itself if it holds no secret. */
function without(value: unknown, marks: Marked | undefined, path: string, omitted: string[]): unknown {
  if (typeof value !== 'object' || value === null) {
    if (marks !== true || value === undefined || value === null || value === '') return value
    omitted.push(path)
    return SECRET
  }
  if (Array.isArray(value)) {
    const ofItems = marks === true ? true : marks?.items
    const items = value.map((item, at) => without(item, ofItems, `${path}[${at}]`, omitted))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name]
    const ofMember = marks === undefined || marks === true ? marks : (marks.members.get(name) ?? marks.others)
    if (ofMember === undefined && typeof item !== 'string' && typeof item !== 'object') continue
    const isNamed = typeof item === 'string' && isSecretName(name)
    const left = without(item, isNamed || ofMember, path === '' ? name : `${path}.${name}`, omitted)
    if (left === item) continue
    changed ??= { ...value }
    changed[name] = left
  }
  return changed ?? value
}
