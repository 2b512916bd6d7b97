import { BadRequest } from '@gateway/sdk'
import { faultOf } from './check.ts'
import { type Json, Steps } from './json.ts'

/**
 * Checks the arguments of a call against the schema of its tool. It interprets instead of compiling: compiling a tenant's
 * schema blocks the gateway's thread for tenths of a second, and the result runs without a bound; an interpreter counts its
 * steps.
 */
export function checkArguments(schema: Json, args: Record<string, unknown>, maxBytes: number, hasDefaults = true): Record<string, unknown> {
  const text = JSON.stringify(args)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw BadRequest({ message: `The arguments of this tool may be at most ${maxBytes} bytes as JSON; got ${bytes}.` })
  // Defaults are filled in at any depth, and the caller's object belongs to the caller. Copying it takes as long as reading it
  // did.
  const given = hasDefaults ? (JSON.parse(text) as Record<string, unknown>) : args
  const fault = faultOf(schema, given, new Steps(), maxBytes - bytes)
  if (fault) throw BadRequest(fault)
  return given
}
