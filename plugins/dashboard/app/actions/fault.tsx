import { useEffect, useRef } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { FormFault } from '../form.tsx'
import { plain } from '../text.ts'

/** Reason that a form was not accepted: the input is wrong, or the gateway refused. */
export interface Fault {
  readonly message: string
  readonly field?: string | undefined
  readonly refusal?: Refusal
}

export function faultOf(error: unknown): Fault {
  return { message: (error as Error).message, ...(error instanceof FormFault && { field: error.field }) }
}

export function faultOfRefusal(refusal: Refusal): Fault {
  return { message: refusal.message, refusal, field: fieldOf(refusal) }
}

function fieldOf({ details }: Refusal): string | undefined {
  const { field } = (details ?? {}) as { field?: unknown }
  return typeof field === 'string' ? field.replace(/^\//, '').split(/[./]/)[0] : undefined
}

export function FaultNote({ fault }: { fault: Fault | undefined }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (fault) ref.current?.focus()
  }, [fault])
  if (!fault) return null
  return (
    <p class="note bad" role="alert" tabIndex={-1} ref={ref}>
      {plain(fault.message)}
      {fault.refusal && <small> {fault.refusal.code}</small>}
    </p>
  )
}
