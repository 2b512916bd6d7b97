import { cutText } from '@gateway/sdk'

/** Characters of one result that the model is given. */
const MAX_RESULT = 20_000
/** Characters of all results of an invocation; later ones are cut shorter, so that the prompt stays within what models read. */
const MAX_RESULTS = 200_000
/** Characters that are always left for a result: enough for an error, and to say that it was cut. */
const MIN_RESULT = 500

/** A result as text for the model, within the limits. `used`: characters of earlier results. */
export function boundedResult(text: string, used: number): string {
  const room = Math.min(MAX_RESULT, Math.max(MIN_RESULT, MAX_RESULTS - used))
  if (text.length <= room) return text
  const cut = cutText(text, room)
  return `${cut}\n[Cut: ${cut.length} of ${text.length} characters. Ask for less, with a filter or a smaller limit.]`
}

/** The arguments that a model wrote, or the reason why they are none. */
export function readArguments(text: string): { readonly args: object } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { args: value }
    return { fault: 'The arguments must be a JSON object.' }
  } catch {
    return { fault: 'The arguments are not JSON; they may have been cut off at the limit of the answer.' }
  }
}

export const errorText = (code: string, message: string, details?: unknown): string =>
  JSON.stringify({ error: { code, message, ...(details !== undefined && { details }) } })
