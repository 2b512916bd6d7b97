import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'

/**
 * What is known of something that alerts are raised about. An alert tells of a change, not of a state: worse is told at once, well
 * again is told once, and what flaps is told again only when the window since the last alert is over.
 */
export const alertStateSchema = Type.Object(
  {
    /** 0 is well; greater is worse. */
    severity: Type.Integer(),
    alertedAt: Type.String(),
    /** Whether people believe it to be unwell: they were told, and not yet that it is over. */
    told: Type.Boolean(),
  },
  closed,
)
/** What is known of something that alerts are raised about. */
export type AlertState = Infer<typeof alertStateSchema>

/** What to say of a look at it, and what to remember; nothing once it has long been well. */
export interface AlertDecision {
  readonly say?: 'raised' | 'recovered'
  readonly state?: AlertState
}

const MINUTE_MS = 60_000

/** Whether a look at something that alerts are raised about is one to tell of. */
export function decideAlert(known: AlertState | undefined, severity: number, at: Date, windowMinutes: number): AlertDecision {
  // A clock that was set back keeps nothing quiet for longer than the window.
  const since = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(at.getTime() - Date.parse(known.alertedAt))
  const isWithin = since < windowMinutes * MINUTE_MS
  if (severity === 0) {
    if (known?.told) return { say: 'recovered', state: { ...known, told: false } }
    return known && isWithin ? { state: known } : {}
  }
  if (known && severity <= known.severity && (known.told || isWithin)) return { state: known }
  return { say: 'raised', state: { severity, alertedAt: at.toISOString(), told: true } }
}
