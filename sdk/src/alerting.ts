import { MINUTE_MS } from './durations.ts'
import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'

/**
 * State kept about something that alerts are raised about. An alert reports a change, not a state: a worse state is reported at
 * once, recovery is reported once, and a flapping state is reported again only after the window since the last alert.
 */
export const alertStateSchema = Type.Object(
  {
    /** 0 means well; a greater number is worse. */
    severity: Type.Integer(),
    alertedAt: Type.String(),
    /** True while people have been alerted and the recovery has not been reported yet. */
    told: Type.Boolean(),
  },
  closed,
)
/** State kept about something that alerts are raised about. */
export type AlertState = Infer<typeof alertStateSchema>

/** The alert to raise after a check and the state to keep; empty once it has been well for long. */
export interface AlertDecision {
  readonly say?: 'raised' | 'recovered'
  readonly state?: AlertState
}

/** Decides whether a check is reported as an alert. */
export function decideAlert(known: AlertState | undefined, severity: number, at: Date, windowMinutes: number): AlertDecision {
  // A clock that was set back suppresses alerts for no longer than the window.
  const since = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(at.getTime() - Date.parse(known.alertedAt))
  const isWithin = since < windowMinutes * MINUTE_MS
  if (severity === 0) {
    if (known?.told) return { say: 'recovered', state: { ...known, told: false } }
    return known && isWithin ? { state: known } : {}
  }
  if (known && severity <= known.severity && (known.told || isWithin)) return { state: known }
  return { say: 'raised', state: { severity, alertedAt: at.toISOString(), told: true } }
}
