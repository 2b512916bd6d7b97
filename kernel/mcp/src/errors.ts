import { defineError, Type } from '@gateway/sdk'

/** Refusals that exist only at the MCP endpoint. */

export const NotAcceptable = defineError('NOT_ACCEPTABLE', {
  status: 406,
  description: 'The header `Accept` leaves out every form this endpoint answers in.',
  details: Type.Object({ offered: Type.Array(Type.String()), accept: Type.String() }),
  message: ({ offered, accept }) => `Answers come as ${offered.join(' or ')}; the request accepts ${accept}.`,
})
export const UnknownFamily = defineError('UNKNOWN_FAMILY', {
  status: 404,
  description: 'A view was asked for tool families that are not running; `details.families` lists those that are.',
  details: Type.Object({ unknown: Type.Array(Type.String()), families: Type.Array(Type.String()) }),
  message: ({ unknown, families }) =>
    `No tool family ${unknown.map((family) => JSON.stringify(family)).join(', ')}; there are: ${families.join(', ')}.`,
})
