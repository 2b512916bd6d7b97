import { REDACTED, redact } from '@gateway/sdk/redact'

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

/** Settings for display: without values that their schema or name marks as secret, or that look like one. */
export function shownSettings(schema: object, values: object): object {
  return redact(withoutSecrets([schema], values)) as object
}

/** A value that may meet any of these schemas. */
function withoutSecrets(schemas: readonly Part[], value: unknown): unknown {
  const parts = schemas.flatMap(branches)
  if (parts.some(({ secret }) => secret === true)) return value === undefined || value === null || value === '' ? value : REDACTED
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? [])
    return value.map((item) => withoutSecrets(items, item))
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(parts.flatMap(membersAt(name)), member)]))
}

const branches = (part: Part): readonly Part[] => [
  part,
  ...[...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])].flatMap(branches),
]

/** Patterns are not evaluated here, so a member may be hidden unnecessarily. */
const membersAt =
  (name: string) =>
  ({ properties = {}, patternProperties = {}, additionalProperties }: Part): readonly Part[] => [
    ...(Object.hasOwn(properties, name) ? [properties[name] as Part] : Object.values(patternProperties)),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
