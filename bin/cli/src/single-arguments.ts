import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk/command'
import { offeredTool } from './offered-tools.ts'

/**
 * Reads `--arg name=value`. A value that is JSON is parsed, unless the tool accepts no such value there: then it stays text. The
 * service is asked for the tool's schema only when a value can be both.
 */
export async function singleArguments(given: readonly string[], tool: string, client: ServiceClient): Promise<Record<string, unknown>> {
  const texts = given.map(nameAndText)
  const isAmbiguous = texts.some(([, text]) => !['undefined', 'string'].includes(typeof asJson(text)))
  const takesText = isAmbiguous ? await textArguments(tool, client) : () => false
  return Object.fromEntries(texts.map(([name, text]) => [name, valueOf(text, (type) => takesText(name, type))]))
}

async function textArguments(tool: string, client: ServiceClient): Promise<(name: string, type: string) => boolean> {
  const { typesOf } = await import('@gateway/validation')
  const properties = (await offeredTool(client, tool).catch(() => undefined))?.inputSchema?.properties ?? {}
  return (name, type) => {
    const types = Object.hasOwn(properties, name) ? typesOf(properties[name], (schema) => schema) : undefined
    return types?.has('string') === true && !types.has(type) && !(type === 'number' && types.has('integer'))
  }
}

function valueOf(text: string, isText: (type: string) => boolean): unknown {
  const value = asJson(text)
  if (value === undefined || typeof value === 'string') return value ?? text
  return isText(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) ? text : value
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
