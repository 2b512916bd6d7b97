import { existsSync, readFileSync } from 'node:fs'
import type { ObjectSchema, Plugin } from '@gateway/sdk'
import { settingsSchema } from '@gateway/settings'
import type { Env } from './command.ts'
import { didYouMean } from './nearest.ts'

const OF_THE_COMMAND = ['GATEWAY_URL', 'GATEWAY_API_KEY', 'GATEWAY_LOCAL_TOKEN_FILE']
/** Variables that Kubernetes gives every container of a namespace with a service called `gateway`. */
const OF_KUBERNETES = /^GATEWAY_(SERVICE_|PORT_\d+_)/

/**
 * Returns a sentence for each `GATEWAY_…` of the environment that nobody reads: it is misspelt, or belongs to another version.
 */
export function unknownVariables(env: Env, plugins: readonly Plugin[], configFile: string): readonly string[] {
  const schemas = [settingsSchema, ...plugins.flatMap(({ config }) => (config === undefined ? [] : [config.schema]))]
  const known = new Set([...OF_THE_COMMAND, ...schemas.flatMap(variablesOf), ...namedIn(configFile)])
  return Object.keys(env)
    .filter((name) => name.startsWith('GATEWAY_') && env[name] !== undefined && !known.has(name) && !OF_KUBERNETES.test(name))
    .map((name) => `${name} is no setting, and nothing reads it.${didYouMean(name, known, (near) => near)}`)
}

const variablesOf = (schema: ObjectSchema): string[] =>
  Object.values((schema as { properties?: Record<string, { env?: string }> }).properties ?? {}).flatMap(({ env }) => env ?? [])

/** A config file may use any variable as `${NAME}`. */
function namedIn(file: string): string[] {
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name)
}
