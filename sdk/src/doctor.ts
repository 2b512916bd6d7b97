import type { CollectionRef } from './collection/declaration.ts'
import { defineContribution } from './contribution.ts'
import { closed } from './objects.ts'
import { type Infer, type ObjectSchema, Type } from './schema.ts'
import { defineService } from './service.ts'

/** Finding of a check of `gateway doctor`. `fix` is the remedy and is present unless the status is ok. Holds no secret. */
export type DoctorFinding =
  | { readonly outcome: 'ok'; readonly detail: string }
  | { readonly outcome: 'warn' | 'fail'; readonly detail: string; readonly fix: string }

/** Facts that a check may read. It runs in a process of its own, with or without the service, and changes nothing. */
export interface DoctorScene {
  /** The data folder; absolute, and perhaps not created yet. */
  readonly dataDir: string
  /** The framework root; absolute. */
  readonly root: string
  /**
   * Documents of a collection of all tenants, in the order of tenants and keys. Empty if the store does not exist or is on a
   * server; throws if it cannot be read.
   */
  documents<S extends ObjectSchema>(collection: CollectionRef<S>): AsyncIterable<{ readonly tenantId: string; readonly document: Infer<S> }>
}

/** A family's part of `gateway doctor`. An error it throws becomes a finding. */
export interface DoctorCheck {
  /** Subject of the check, in a word or two. */
  readonly name: string
  check(scene: DoctorScene): Promise<DoctorFinding | readonly DoctorFinding[]>
}
/**
 * Contributes a check to `gateway doctor`. No gateway runs there: `uses` may name the plugin's settings, and process services
 * that need only settings and `gatewayInfo`, which knows only its folders there.
 */
export const doctorCheck = defineContribution<DoctorCheck>('gateway.doctor-check')

/** Report of `gateway doctor` as data. */
export const doctorReportSchema = Type.Object(
  {
    healthy: Type.Boolean({ description: 'No check failed.' }),
    checks: Type.Array(
      Type.Object(
        {
          check: Type.String(),
          outcome: Type.Enum(['ok', 'warn', 'fail']),
          detail: Type.String(),
          fix: Type.Optional(Type.String({ description: 'Action that repairs it.' })),
        },
        closed,
      ),
    ),
  },
  closed,
)
/** Report of `gateway doctor` as data. */
export type DoctorReport = Infer<typeof doctorReportSchema>

/** Runs the checks of `gateway doctor` in a process of their own. */
export interface GatewayDoctor {
  /** Concurrent callers share one run, and its answer is valid for a minute. Throws UNAVAILABLE if the checks do not end. */
  examine(): Promise<DoctorReport>
}
/** Provided by the `gateway` command; a gateway started otherwise has none. Its report is for the operator. */
export const gatewayDoctor = defineService<GatewayDoctor>('gateway.doctor', 'process')
