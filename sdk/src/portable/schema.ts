import { readPattern } from './pattern.ts'
import { isSchemaObject, type JsonSchema, schemasIn } from './places.ts'

/** Hosts accept these argument names; some refuse the whole list of tools for any other name. */
export const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** Schemas of plugins are constants, so gateways of one process judge them once. */
const judged = { input: new WeakMap<object, readonly string[]>(), output: new WeakMap<object, readonly string[]>() }

/**
 * Lists why clients would refuse a published schema, in sentences that begin with the place. Schemas of arguments (`input`) have more
 * rules than those of results, because hosts translate them.
 */
export function portabilityFaults(schema: object, { input }: { readonly input: boolean }): readonly string[] {
  const known = input ? judged.input : judged.output
  const faults = known.get(schema) ?? faultsOf(schema, input)
  known.set(schema, faults)
  return faults
}

function faultsOf(schema: object, input: boolean): readonly string[] {
  const faults: string[] = []
  for (const [at, one] of schemasIn(schema)) {
    const say = (what: string): void => void faults.push(`${at || '/'}: ${what}`)
    patternFaults(one, say)
    if (input) argumentFaults(one, say)
  }
  return faults
}

type Say = (what: string) => void

function patternFaults(schema: JsonSchema, say: Say): void {
  const { pattern, minLength, maxLength, patternProperties } = schema
  const names = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []
  for (const one of typeof pattern === 'string' ? [pattern, ...names] : names) {
    const { fault } = readPattern(one)
    if (fault !== undefined) say(`the pattern ${one} ${fault}; publish a simpler one and check the rest by \`rule\``)
  }
  if (typeof pattern !== 'string' || (minLength === undefined && maxLength === undefined)) return
  const { fault, isOpen } = readPattern(pattern)
  if (fault === undefined && isOpen) {
    say(
      `the pattern ${pattern} is open, and minLength or maxLength stands beside it; bound the pattern, as in ^[a-z]{1,80}$, or move it to \`rule\``,
    )
  }
}

function argumentFaults({ type, properties, required, items, $ref }: JsonSchema, say: Say): void {
  const known = isSchemaObject(properties) ? properties : {}
  for (const name of Object.keys(known)) {
    if (!ARGUMENT_NAME.test(name)) say(`the name ${JSON.stringify(name)} must have 1 to 64 letters, digits, _, . and -`)
  }
  for (const name of Array.isArray(required) ? required : []) {
    const property = Object.hasOwn(known, name) ? known[name] : undefined
    if (isSchemaObject(property) && property.default !== undefined) say(`${name} has a default and is required; make it optional`)
  }
  if ([type].flat().includes('array') && items === undefined) say('an array must say what its items are')
  if (typeof $ref === 'string' && !$ref.startsWith('#')) say(`the reference ${$ref} must lead to a place in this schema, as #/$defs/name`)
}
