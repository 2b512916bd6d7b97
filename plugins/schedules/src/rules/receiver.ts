import type { Run, Schedule } from '../schema.ts'

export const SENDER = 'schedules'
const OPERATOR = 'operator'

/**
 * Name of the receiver of a run's result, if it has one. Answers of agents and skills are for a person, so they go to the operator
 * unless the schedule says otherwise. Errors appear in the attention queue, so they are sent only to a receiver that the schedule
 * names.
 */
export function receiverOf({ kind, deliverTo }: Schedule, { status }: Pick<Run, 'status'>): string | undefined {
  return deliverTo ?? (kind === 'tool' || status === 'error' ? undefined : OPERATOR)
}

export function messageOf({ name }: Schedule, { status, result, error }: Run): { readonly title: string; readonly text: string } {
  return status === 'success' ? { title: name, text: result || 'It answered nothing.' } : { title: `${name}: failed`, text: error ?? '' }
}
