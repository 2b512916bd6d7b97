import { existsSync, readFileSync } from 'node:fs'
import type { ObjectSchema, Plugin } from '@gateway/sdk'
import { settingsSchema } from '@gateway/settings'
import type { Env } from './command.ts'
import { commandVariables, runnerVariables } from './command-variables.ts'
import { didYouMean } from './nearest.ts'

/** Variables that Kubernetes gives the containers of a namespace for each service whose name begins with `gateway`. */
const OF_KUBERNETES = /^GATEWAY_(\w+_)?(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))/
const ADDRESS_OF_SERVICE = /^(tcp|udp|sctp):\/\//

/**
 * Returns a sentence for each `GATEWAY_…` of the environment that nobody reads: it is misspelt, or belongs to another version.
 */
export function unknownVariables(env: Env, plugins: readonly Plugin[], configFile: string): readonly string[] {
  const schemas = [settingsSchema, commandVariables, ...plugins.flatMap(({ config }) => (config === undefined ? [] : [config.schema]))]
  const known = new Set([...runnerVariables, ...schemas.flatMap(variablesOf), ...namedIn(configFile)])
  return Object.keys(env)
    .filter((name) => name.startsWith('GATEWAY_') && env[name] !== undefined && !known.has(name))
    .filter((name) => !OF_KUBERNETES.test(name) && !ADDRESS_OF_SERVICE.test(env[name] ?? ''))
    .map((name) => `${name} is no setting, and nothing reads it.${didYouMean(name, known, (near) => near)}`)
}

const variablesOf = (schema: ObjectSchema): string[] =>
  Object.values((schema as { properties?: Record<string, { env?: string }> }).properties ?? {}).flatMap(({ env }) => env ?? [])

/** A config file may use any variable as `${NAME}`. */
function namedIn(file: string): string[] {
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name)
}
