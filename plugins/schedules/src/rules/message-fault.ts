import { BadRequest, isToolError } from '@gateway/sdk'

/** The refusal of a target's arguments, as a fault of the `message` that holds them. Any other error stays as it is. */
export function refusedAsMessage(refusal: unknown, tool: string): unknown {
  if (!isToolError(refusal)) return refusal
  return BadRequest({ field: 'message', message: `\`message\` must hold arguments that ${tool} accepts: ${refusal.message}` })
}
