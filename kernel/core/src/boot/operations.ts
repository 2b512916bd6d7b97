import type { Effect, Operation } from '@gateway/sdk'
import { portabilityFaults } from '@gateway/sdk/portable'
import { capabilities } from '../rights/may.ts'
import type { KernelPart } from './adapters.ts'

interface LooseSchema {
  readonly type?: unknown
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
}

const EFFECTS: readonly Effect[] = ['read', 'write', 'destructive']

/** Returns the faults of a tool or route as sentences that begin with its name. Clients and MCP hosts rely on these rules. */
export function operationFaults(operation: Operation & { readonly kind?: string }, parts: readonly KernelPart[] = []): string[] {
  const faults: string[] = []
  const say = (what: string): void => void faults.push(`${operation.kind ?? 'tool'} ${operation.name}: ${what}`)
  const input = operation.input as LooseSchema
  const name = operation.kind === 'route' ? /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/ : /^[a-z][a-z0-9_]{0,63}$/
  if (!name.test(operation.name)) say(operation.kind === 'route' ? 'the name must read family.verb' : 'the name must be snake_case')
  if (operation.description.trim() === '') say('a description is missing')
  // A plugin in plain JavaScript may contain any value, and access and visibility depend on these members.
  if (!capabilities.includes(operation.capability))
    say(`the capability must be one of ${capabilities.join(', ')}; got ${JSON.stringify(operation.capability)}`)
  const { localOnly } = operation
  if (localOnly !== undefined && localOnly !== true && (typeof localOnly !== 'string' || localOnly.trim() === ''))
    say(`localOnly must be true or a sentence; got ${JSON.stringify(localOnly)}`)
  if (!EFFECTS.includes(operation.effect)) say(`the effect must be one of ${EFFECTS.join(', ')}; got ${JSON.stringify(operation.effect)}`)
  if (input.type !== 'object') say('the input schema must be an object')
  if (input.additionalProperties !== false) say('the input schema must be closed (additionalProperties: false)')
  if (input.properties && 'tenantId' in input.properties && operation.capability !== 'operator') {
    say('tenantId is derived by the server; only what the operator does can have it as an argument')
  }
  for (const what of portabilityFaults(operation.input, { input: true })) say(`input ${what}`)
  for (const schema of [operation.output, ...operation.errors.map(({ details }) => details)])
    for (const what of portabilityFaults(schema, { input: false })) say(`output ${what}`)
  for (const part of parts) for (const what of part.operationFaults?.(operation) ?? []) say(what)
  if (operation.rest !== undefined) {
    for (const [, parameter = ''] of operation.rest.matchAll(/:([A-Za-z0-9_]+)/g)) {
      if (!(parameter in (input.properties ?? {}))) say(`:${parameter} of its path is no property of the input`)
    }
    if (operation.rest.startsWith('GET ') && operation.effect !== 'read') say('a GET must not change anything')
  }
  return faults
}

/** Method and path without parameter names: two bindings of one shape would shadow each other. */
export function routeShape(rest: string): string {
  return rest.replaceAll(/:[A-Za-z0-9_]+/g, ':')
}
