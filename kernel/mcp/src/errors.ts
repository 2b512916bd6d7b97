import { defineError, Type } from '@gateway/sdk'

/** Refusals that exist only at the MCP endpoint. */

export const NotAcceptable = defineError('NOT_ACCEPTABLE', {
  status: 406,
  description: 'The header `Accept` allows no format that this endpoint answers in.',
  details: Type.Object({ offered: Type.Array(Type.String()), accept: Type.String() }),
  message: ({ offered, accept }) => `Answers come as ${offered.join(' or ')}; the request accepts ${accept}.`,
})
export const UnknownFamily = defineError('UNKNOWN_FAMILY', {
  status: 404,
  description: 'The view names tool families that are not running; `details.families` lists the running ones.',
  details: Type.Object({ unknown: Type.Array(Type.String()), families: Type.Array(Type.String()) }),
  message: ({ unknown, families }) =>
    `No tool family ${unknown.map((family) => JSON.stringify(family)).join(', ')}; there are: ${families.join(', ')}.`,
})
