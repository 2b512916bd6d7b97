import type { FormSchema } from '@gateway/sdk'

/** A form in which every field must be filled in. */
export const form = (properties: FormSchema['properties']): FormSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

export const nameForm = form({ name: { type: 'string', title: 'Name' } })
export const confirmForm = form({ ok: { type: 'boolean', title: 'Yes' } })
