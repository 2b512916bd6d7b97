import { randomUUID } from 'node:crypto'
import type { FormSchema, InputRequest } from '@gateway/sdk'
import { hasRichForms } from './versions.ts'

export function questionParams({ method, params }: InputRequest, version: string): Record<string, unknown> {
  if (method !== 'elicitation/create') return params
  if (params.mode === 'url') return { ...params, elicitationId: randomUUID() }
  if (hasRichForms(version)) return params
  const { mode: _mode, requestedSchema, ...others } = params
  return { ...others, requestedSchema: plainForm(requestedSchema as FormSchema) }
}

/** Before choices had their own titles, these were listed next to the values. */
function plainForm(form: FormSchema): FormSchema {
  const properties = Object.entries(form.properties).map(([name, property]) => [name, plainField(property)])
  return { ...form, properties: Object.fromEntries(properties) as FormSchema['properties'] }
}

function plainField(property: object): object {
  const { oneOf, ...others } = property as { oneOf?: readonly { readonly const: string; readonly title?: string }[] }
  if (oneOf === undefined) return property
  return { ...others, enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map((choice) => choice.title ?? choice.const) }
}
