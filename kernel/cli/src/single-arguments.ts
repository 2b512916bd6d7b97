import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk/command'
import { typeName, typesOf } from '@gateway/validation'

type Tools = readonly { readonly name: string; readonly inputSchema?: { readonly properties?: Readonly<Record<string, object>> } }[]

/**
 * Reads `--arg name=value`. A value that is JSON is taken as that, unless the tool accepts no such value there: then it is the text as
 * it was written. The service is asked for the tool’s schema only when a value can be both.
 */
export async function singleArguments(given: readonly string[], tool: string, client: ServiceClient): Promise<Record<string, unknown>> {
  const texts = given.map(nameAndText)
  const isAmbiguous = texts.some(([, text]) => !['undefined', 'string'].includes(typeof asJson(text)))
  const { tools } = isAmbiguous ? ((await client.get('/api/tools').catch(() => ({ tools: [] }))) as { tools: Tools }) : { tools: [] }
  const properties = tools.find(({ name }) => name === tool)?.inputSchema?.properties ?? {}
  return Object.fromEntries(texts.map(([name, text]) => [name, valueFor(Object.hasOwn(properties, name) ? properties[name] : {}, text)]))
}

function valueFor(schema: unknown, text: string): unknown {
  const value = asJson(text)
  const types = typesOf(schema, (one) => one)
  const type = typeName(value)
  const isTaken = types === undefined || types.has(type) || (type === 'number' && types.has('integer')) || !types.has('string')
  return value === undefined || (typeof value !== 'string' && !isTaken) ? text : value
}

function nameAndText(one: string): readonly [name: string, text: string] {
  const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? []
  if (name === undefined) throw new CommandError(EXIT.usage, `--arg must be NAME=VALUE; got ${JSON.stringify(one)}.`)
  return [name, text]
}

/** Parses a text; undefined when it is not JSON. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
