import { describe, misspeltName } from '@gateway/validation'

interface Part {
  readonly operationNames?: boolean
  readonly properties?: Readonly<Record<string, Part>>
}

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/

/**
 * Names of tools and routes in settings that cannot be right, where the schema says `operationNames: true`: keys of an object or items of
 * a list. Tenants register tools of their own while the gateway runs, so an unknown name counts only if it is misspelt, or none of a tool.
 */
export function operationNameFaults(schema: object, values: object, operations: readonly string[], at = ''): string[] {
  const known = new Set(operations)
  return Object.entries((schema as Part).properties ?? {}).flatMap(([name, part]) => {
    const value = (values as Record<string, unknown>)[name]
    if (typeof value !== 'object' || value === null) return []
    const place = at === '' ? name : `${at}.${name}`
    if (part.operationNames !== true) return operationNameFaults(part, value, operations, place)
    const isList = Array.isArray(value)
    const names: readonly unknown[] = isList ? value : Object.keys(value)
    return names.flatMap((given, index) => {
      if (typeof given !== 'string' || known.has(given)) return []
      const meant = misspeltName(given, operations)
      if (meant === undefined && TOOL_NAME.test(given)) return []
      const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
      return [`\`${place}${isList ? `[${index}]` : ''}\` must name tools or routes; got ${describe(given)}.${hint}`]
    })
  })
}
