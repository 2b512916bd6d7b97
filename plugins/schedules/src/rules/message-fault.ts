import { BadRequest, Forbidden, isToolError } from '@gateway/sdk'

/** The refusal of a target's arguments, as a fault of the `message` that holds them. A refusal of the caller and any other error stay as they are. */
export function refusedAsMessage(refusal: unknown, tool: string): unknown {
  if (!isToolError(refusal) || refusal.code === Forbidden.code) return refusal
  return BadRequest({ field: 'message', message: `\`message\` must hold arguments that ${tool} accepts: ${refusal.message}` })
}
