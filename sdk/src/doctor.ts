import type { CollectionRef } from './collection/declaration.ts'
import { defineContribution } from './contribution.ts'
import { closed } from './objects.ts'
import { type Infer, type ObjectSchema, Type } from './schema.ts'
import { defineService } from './service.ts'

/** What a check of `gateway doctor` found. `fix` says what to do, and stands with everything that is not ok. Holds no secret. */
export type DoctorFinding =
  | { readonly outcome: 'ok'; readonly detail: string }
  | { readonly outcome: 'warn' | 'fail'; readonly detail: string; readonly fix: string }

/** What a check may look at. It runs beside the service or without one, in a process of its own, and changes nothing. */
export interface DoctorScene {
  /** The data folder; absolute, and perhaps not there yet. */
  readonly dataDir: string
  /** The framework root; absolute. */
  readonly root: string
  /**
   * Documents of a collection of all tenants, one after another, in the order of tenants and keys. None where the store is not there or
   * is a MongoDB’s; throws where it cannot be read.
   */
  documents<S extends ObjectSchema>(collection: CollectionRef<S>): AsyncIterable<{ readonly tenantId: string; readonly document: Infer<S> }>
}

/** A family’s part of `gateway doctor`. What it throws becomes a finding. */
export interface DoctorCheck {
  /** What is looked at: a word or two. */
  readonly name: string
  check(scene: DoctorScene): Promise<DoctorFinding | readonly DoctorFinding[]>
}
/**
 * Take part in `gateway doctor`. No gateway runs there: `uses` may name the plugin’s settings, and process services that are made of
 * settings and `gatewayInfo` alone, which knows nothing there but its folders.
 */
export const doctorCheck = defineContribution<DoctorCheck>('gateway.doctor-check')

/** What `gateway doctor` says, as data. */
export const doctorReportSchema = Type.Object(
  {
    healthy: Type.Boolean({ description: 'No check failed.' }),
    checks: Type.Array(
      Type.Object(
        {
          check: Type.String(),
          outcome: Type.Enum(['ok', 'warn', 'fail']),
          detail: Type.String(),
          fix: Type.Optional(Type.String({ description: 'What to do.' })),
        },
        closed,
      ),
    ),
  },
  closed,
)
/** What `gateway doctor` says, as data. */
export type DoctorReport = Infer<typeof doctorReportSchema>

/** Runs the checks of `gateway doctor`, in a process of their own, beside the gateway. */
export interface GatewayDoctor {
  /** Who asks while others wait gets their answer; an answer is good for a minute. Throws UNAVAILABLE where the checks do not end. */
  examine(): Promise<DoctorReport>
}
/** Provided by the `gateway` command: a gateway that was started otherwise has none. What it says is for the operator. */
export const gatewayDoctor = defineService<GatewayDoctor>('gateway.doctor', 'process')
