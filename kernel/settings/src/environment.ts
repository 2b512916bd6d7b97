import type { ObjectSchema } from '@gateway/sdk'
import { isSecretName, redactText } from '@gateway/sdk/redact'

interface Property {
  readonly env?: string
  readonly type?: string
}

/**
 * Reads a schema's properties from environment variables: each property with `env: 'NAME'` reads that variable, as its declared
 * type. A value of another type is reported to `faults`. A blank variable counts as unset.
 */
export function readEnvironment(
  schema: ObjectSchema,
  env: Readonly<Record<string, string | undefined>>,
  faults: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const text = property.env === undefined ? undefined : env[property.env]
    if (property.env === undefined || text === undefined || text.trim() === '') continue
    const value = parse(text, property.type)
    if (value === undefined)
      faults.push(`${property.env} must be ${article(property.type)}; got ${shown(text, property)}.${serviceLink(property.env, text)}`)
    else values[name] = value
  }
  return values
}

/** Returns the variable of the setting that a path such as `names[0].first` leads into. */
export function variableOf(schema: ObjectSchema, path: string): string | undefined {
  return propertiesOf(schema)[settingOf(path)]?.env
}

/** Returns the name of the setting that a path such as `names[0].first` leads into. */
export const settingOf = (path: string): string => path.replace(/[.[].*$/, '')

const propertiesOf = (schema: ObjectSchema) => (schema as { properties?: Record<string, Property> }).properties ?? {}

/**
 * Hides values that may be secret: an object may hold tokens anywhere, and a text that is not a number may belong to another
 * variable.
 */
function shown(text: string, { env = '', type }: Property): string {
  return type === 'object' || isSecretName(env) ? `${text.length} characters that are not` : JSON.stringify(redactText(text))
}

/** Kubernetes names each service of a namespace to the pods in it: the port of `gateway` in GATEWAY_PORT. */
function serviceLink(name: string, text: string): string {
  const service = /^(.+)_PORT$/.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-')
  return service !== undefined && /^(?:tcp|udp|sctp):\/\//.test(text)
    ? ` Kubernetes sets it for the service ${service}: set enableServiceLinks: false in the pod, or give the service another name.`
    : ''
}

/** Other notations, as of hexadecimal numbers, would be read as something that the rest of a deployment does not mean. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'on', 'yes'].map((word) => [word, true] as const),
  ...['0', 'false', 'off', 'no'].map((word) => [word, false] as const),
])

function parse(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'boolean':
      return BOOLEANS.get(text.trim().toLowerCase())
    case 'integer':
    case 'number': {
      const number = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN
      return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined
    }
    case 'array':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    case 'object':
      try {
        return JSON.parse(text) as unknown
      } catch {
        return undefined
      }
    default:
      return text
  }
}

function article(type: string | undefined): string {
  switch (type) {
    case 'boolean':
      return '1, 0, true, false, on, off, yes or no'
    case 'integer':
      return 'a whole number'
    case 'object':
      return 'JSON'
    default:
      return `a ${type}`
  }
}
