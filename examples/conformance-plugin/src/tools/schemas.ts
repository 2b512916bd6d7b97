import { closed, defineTool, Type } from '@gateway/sdk'
import { say, shown } from '../shapes.ts'

/** Tools that are listed only for their input schema. */

const reads = { capability: 'read', effect: 'read', output: shown } as const

/** Keywords that a list must pass unchanged, combinators at the top included. A tool for agents has none of those. */
const everyKeyword = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] }, // oxlint-disable-line unicorn/no-thenable
  else: { required: ['email'] },
  additionalProperties: false,
} as const

export const jsonSchema = defineTool({
  ...reads,
  name: 'json_schema_2020_12_tool',
  description: 'Take arguments whose schema uses much of JSON Schema 2020-12. Returns how many arguments fitted it.',
  input: everyKeyword,
  handle: async (contact) => say(`${Object.keys(contact).length} arguments, as the schema has them.`),
})

export const headerParameter = defineTool({
  ...reads,
  name: 'test_x_mcp_header',
  description: 'Take an argument that clients repeat in a header, for proxies to route by. Returns the argument.',
  input: Type.Object({ region: Type.String({ 'x-mcp-header': 'Region', description: 'Any text.' }) }, closed),
  handle: async ({ region }) => say(region),
})
