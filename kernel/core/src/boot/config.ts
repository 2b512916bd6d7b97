import type { ObjectSchema, Plugin } from '@gateway/sdk'
import { explainSetting, readEnvironment, settingOf, variableOf } from '@gateway/settings'
import { defaultsOf, type ErrorObject, lazyValidator } from '@gateway/validation'
import { BootError, blame } from './faults.ts'
import { operationNameFaults } from './operation-names.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Returns each plugin's settings by config id: the file, overridden by the environment, validated strictly, frozen. */
export function configure(plugins: readonly Plugin[], given: ReadonlyMap<string, object>, env: Env): ReadonlyMap<string, unknown> {
  const faults: string[] = []
  const configs = new Map<string, unknown>()
  const operations = plugins.flatMap(({ tools, routes }) => [...tools, ...routes].map(({ name }) => name))
  for (const plugin of plugins) {
    const fromFile = given.get(plugin.id) ?? {}
    if (!plugin.config) {
      if (Object.keys(fromFile).length > 0) faults.push(blame(plugin.id, 'config', 'it has no settings; write true instead'))
      continue
    }
    const wrongEnv: string[] = []
    const fromEnv = readEnvironment(plugin.config.schema, env, wrongEnv)
    const set = { ...structuredClone(fromFile), ...fromEnv }
    faults.push(...wrongEnv.map((what) => blame(plugin.id, 'config', what)))
    // The schema of a plugin that the config file names may be faulty too.
    const isUnset = !given.has(plugin.id) && Object.keys(set).length === 0
    const defaults = isUnset ? defaultsOf(plugin.config.schema) : undefined
    const values = defaults ?? set
    try {
      const fault = defaults === undefined ? lazyValidator(plugin.config.schema)(values) : undefined
      if (fault) faults.push(blame(plugin.id, 'config', faultOf(fault, plugin.config.schema, fromEnv)))
      else if (!isUnset)
        faults.push(...operationNameFaults(plugin.config.schema, values, operations).map((what) => blame(plugin.id, 'config', what)))
    } catch (error) {
      faults.push(
        blame(plugin.id, 'config', `the schema of its settings is invalid: ${(error as Error).message}; take another version of it`),
      )
    }
    configs.set(plugin.config.id, deepFreeze(values))
  }
  if (faults.length > 0) throw new BootError(faults)
  return configs
}

/** Names the variable as well where the value came from one. */
function faultOf(fault: ErrorObject, schema: ObjectSchema, fromEnv: object): string {
  const { field, message } = explainSetting(fault)
  return Object.hasOwn(fromEnv, settingOf(field)) ? `${variableOf(schema, field)}: ${message}` : message
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
