import { BadRequest } from '@gateway/sdk'
import { faultOf } from './check.ts'
import { type Json, Steps } from './json.ts'

/**
 * The arguments of a call, held against the schema of its tool. Walked rather than compiled: to compile a tenant’s schema takes
 * the one thread of the gateway for tenths of a second, and what comes out runs for as long as it likes; a walk counts its steps.
 */
export function checkArguments(schema: Json, args: Record<string, unknown>, maxBytes: number, hasDefaults = true): Record<string, unknown> {
  const text = JSON.stringify(args)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw BadRequest({ message: `The arguments of this tool have at most ${maxBytes} bytes as JSON; got ${bytes}.` })
  // Defaults are filled in at any depth, and what the caller sent is the caller’s. To copy it takes as long as to read it did.
  const given = hasDefaults ? (JSON.parse(text) as Record<string, unknown>) : args
  const fault = faultOf(schema, given, new Steps(), maxBytes - bytes)
  if (fault) throw BadRequest(fault)
  return given
}
