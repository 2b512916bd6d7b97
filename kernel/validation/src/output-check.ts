import type { Schema } from '@gateway/sdk'
import { lazyValidator } from './compile.ts'

export interface OutputCheckParts {
  /** The place of a fault that is the value itself. */
  readonly root?: string
  /** The beginning of the error that is thrown. */
  readonly says?: string
  /** Every result is checked, and a wrong one throws. Otherwise results are sampled, and a wrong one is reported. */
  readonly isStrict: boolean
  readonly report: (fault: string) => void
}

const SAMPLE_INTERVAL_MS = 60_000

/**
 * Makes the check of what a plugin hands out, as the results of an operation, against the schema that it declares. A sampled value is
 * checked after the call has ended, at most once a minute and schema, so that calls do not wait for it.
 */
export function outputCheck(
  schema: Schema,
  { isStrict, report, root = 'result', says = 'answered against its output schema' }: OutputCheckParts,
): (result: unknown) => void {
  const validate = lazyValidator(schema)
  const faultOf = (result: unknown): string | undefined => {
    // JSON drops undefined members and turns dates into texts, as the caller sees them.
    const fault = validate(JSON.parse(JSON.stringify(result)))
    return fault && `${fault.instancePath || root} ${fault.message}`
  }
  if (isStrict)
    return (result) => {
      const fault = faultOf(result)
      if (fault !== undefined) throw new Error(`${says}: ${fault}`)
    }
  let next = 0
  return (result) => {
    const now = performance.now()
    if (now < next) return
    next = now + SAMPLE_INTERVAL_MS
    setImmediate(() => {
      try {
        const fault = faultOf(result)
        if (fault !== undefined) report(fault)
      } catch (error) {
        report((error as Error).message)
      }
    })
  }
}
