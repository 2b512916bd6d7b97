import { describe, misspeltName } from '@gateway/validation'

interface Part {
  readonly operationNames?: 'gateway' | 'any'
  readonly properties?: Readonly<Record<string, Part>>
}

/** Tools of a tenant, and routes of plugins that do not run now. */
const POSSIBLE = /^([a-z][a-z0-9_]{0,63}|[a-z0-9-]+\.[a-z0-9.-]+)$/

/**
 * Names of tools and routes in settings that cannot be right, where the schema says `operationNames`: keys of an object or items of a
 * list. A plugin may be switched off, so an unknown name counts only if it is misspelt, or if no tool or route can have it. With `any`, a
 * name like that of a tool may also be one that a tenant registers while the gateway runs.
 */
export function operationNameFaults(schema: object, values: object, operations: readonly string[], at = ''): string[] {
  const known = new Set(operations)
  return Object.entries((schema as Part).properties ?? {}).flatMap(([name, part]) => {
    const value = (values as Record<string, unknown>)[name]
    if (typeof value !== 'object' || value === null) return []
    const place = at === '' ? name : `${at}.${name}`
    if (part.operationNames === undefined) return operationNameFaults(part, value, operations, place)
    const isList = Array.isArray(value)
    const names: readonly unknown[] = isList ? value : Object.keys(value)
    return names.flatMap((given, index) => {
      if (typeof given !== 'string' || known.has(given)) return []
      const mayBeOwn = part.operationNames === 'any' && !given.includes('.')
      const meant = misspeltName(given, operations)
      if ((meant === undefined || mayBeOwn) && POSSIBLE.test(given)) return []
      const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
      return [`\`${place}${isList ? `[${index}]` : ''}\` must name tools or routes; got ${describe(given)}.${hint}`]
    })
  })
}
