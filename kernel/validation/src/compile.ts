import type { Schema, TextRule } from '@gateway/sdk'
import { type JsonSchema, mapSchemas, withComposed } from '@gateway/sdk/portable'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { tellingFault } from './telling-fault.ts'

export type { ErrorObject }

/**
 * Compiles arguments, settings and (in tests) results. It stops at the first fault: collecting all of them lets a hostile
 * document cost far more than it does to send. Schemas are built by code, so they are not held against the meta-schema:
 * compiling that one alone would cost the start a fifth of a second.
 */
const ajv = new Ajv2020({
  useDefaults: true,
  strict: false,
  // JSON.parse makes an infinity of 1e999, which the store and every answer could only write as null.
  strictNumbers: true,
  allErrors: false,
  verbose: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
})

ajv.addKeyword({
  keyword: 'rule',
  type: 'string',
  schemaType: 'object',
  compile({ matches }: TextRule) {
    if (matches === undefined) return () => true
    const compiled = new RegExp(matches, 'u')
    return (text: string) => compiled.test(text)
  },
})

interface Place {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
}
/** A text without characters above these is composed already. */
const MAY_BE_DECOMPOSED = /[\u0300-\uffff]/

// A name can have two forms in Unicode, and macOS writes the decomposed one. The text is replaced before its length and pattern are checked.
ajv.addKeyword({
  keyword: 'composed',
  type: 'string',
  schemaType: 'boolean',
  modifying: true,
  errors: false,
  before: 'maxLength',
  validate(_: boolean, text: string, _schema?: object, place?: Place) {
    if (place !== undefined && MAY_BE_DECOMPOSED.test(text)) place.parentData[place.parentDataProperty] = text.normalize('NFC')
    return true
  },
})

/** Compiled checks by schema: a plugin's schemas are constants, so gateways of one process share them. */
const compiledPlain = new WeakMap<Schema, ValidateFunction>()
const compiledComposing = new WeakMap<Schema, ValidateFunction>()

/**
 * Checks a value and fills in defaults, in place; with `composes` it also composes names and search texts. Compiles on first use (1.5 to
 * 2.8 ms), never at boot.
 */
export function lazyValidator(schema: Schema, { composes = false } = {}): (value: unknown) => ErrorObject | undefined {
  const known = composes ? compiledComposing : compiledPlain
  return (value) => {
    let compiled = known.get(schema)
    if (compiled === undefined) known.set(schema, (compiled = compile(schema, composes)))
    return compiled(value) ? undefined : tellingFault(compiled.errors as ErrorObject[])
  }
}

function compile(schema: Schema, composes: boolean): ValidateFunction {
  const bounded = (one: JsonSchema): JsonSchema => withSafeIntegers(withSomeText(one))
  return ajv.compile(mapSchemas(schema, composes ? (one) => withComposed(bounded(one)) : bounded))
}

/** Formats are checked by the handlers that read them. A text of no characters has none, and an optional argument is then absent. */
function withSomeText(schema: JsonSchema): JsonSchema {
  return typeof schema.format === 'string' ? { ...schema, minLength: Math.max(Number(schema.minLength ?? 0), 1) } : schema
}

/** JSON.parse rounds integers beyond the safe ones without a word, so they are refused wherever an integer is expected. */
function withSafeIntegers(schema: JsonSchema): JsonSchema {
  const isInteger = schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'))
  if (!isInteger) return schema
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  return {
    ...schema,
    minimum: Math.max(minimum ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }
}
