import { BadRequest, type FormSchema, type InputRequest, isToolError } from '@gateway/sdk'
import { describe } from '@gateway/validation'
import { isObject } from './jsonrpc.ts'

/** Checks a client's answer to a question; BAD_REQUEST names the faulty part, such as `<key>.content.name`. */
export function checkAnswer(key: string, { method, params }: InputRequest, answer: unknown): void {
  if (!isObject(answer)) throw wrong(key, 'an object', answer)
  switch (method) {
    case 'elicitation/create':
      return checkElicited(key, params, answer)
    case 'sampling/createMessage':
      if (answer.role !== 'user' && answer.role !== 'assistant') throw wrong(`${key}.role`, 'user or assistant', answer.role)
      if (typeof answer.content !== 'object' || answer.content === null) throw wrong(`${key}.content`, 'content', answer.content)
      if (typeof answer.model !== 'string') throw wrong(`${key}.model`, 'a string', answer.model)
      return
    case 'roots/list':
      if (!Array.isArray(answer.roots)) throw wrong(`${key}.roots`, 'a list', answer.roots)
      for (const root of answer.roots) {
        if (!isObject(root) || typeof root.uri !== 'string') throw wrong(`${key}.roots`, 'objects with a uri', root)
      }
  }
}

/** True if this answers the question, whatever it was given for. */
export function fits(key: string, question: InputRequest, answer: unknown): boolean {
  try {
    checkAnswer(key, question, answer)
    return true
  } catch (error) {
    if (isToolError(error) && error.code === BadRequest.code) return false
    throw error
  }
}

function checkElicited(key: string, params: InputRequest['params'], { action, content }: Readonly<Record<string, unknown>>): void {
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') throw wrong(`${key}.action`, 'accept, decline or cancel', action)
  if (action !== 'accept' || params.mode === 'url') return
  if (!isObject(content)) throw wrong(`${key}.content`, 'an object', content)
  const { properties, required = [] } = params.requestedSchema as FormSchema
  for (const name of required) if (content[name] === undefined) throw wrong(`${key}.content.${name}`, 'a value', undefined)
  for (const [name, value] of Object.entries(content)) {
    // Members that were not asked for are ignored, as the protocol says.
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property !== undefined) checkField(`${key}.content.${name}`, property, value)
  }
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly { readonly const: unknown }[]
  readonly items?: { readonly enum?: readonly unknown[]; readonly anyOf?: readonly { readonly const: unknown }[] }
}

/** A form has flat fields of few kinds; compiling a schema for each question would cost more than the call. */
function checkField(at: string, { type, enum: values, oneOf, items }: FieldSchema, value: unknown): void {
  if (type === 'array') {
    if (!Array.isArray(value)) throw wrong(at, 'a list', value)
    const allowed = items?.enum ?? items?.anyOf?.map((choice) => choice.const)
    for (const one of value) if (allowed && !allowed.includes(one)) throw wrong(at, `some of ${allowed.join(', ')}`, one)
    return
  }
  const fits = type === undefined || (type === 'integer' ? Number.isInteger(value) : typeof value === type)
  if (!fits) throw wrong(at, `a value of type ${type}`, value)
  const allowed = values ?? oneOf?.map((choice) => choice.const)
  if (allowed && !allowed.includes(value)) throw wrong(at, `one of ${allowed.join(', ')}`, value)
}

function wrong(field: string, expected: string, value: unknown): Error {
  return BadRequest({ field, message: `\`${field}\` must be ${expected}; got ${describe(value)}.` })
}
