import type { EventRef } from '@gateway/sdk'
import { outputCheck } from '@gateway/validation'
import type { Logger } from 'pino'

/**
 * Makes the check of the payloads of an event against its schema, one for each event. In tests it throws to the emitter; otherwise
 * payloads are sampled, and a wrong one is logged and delivered.
 */
export function payloadChecks(isStrict: boolean, log: Logger): (event: Pick<EventRef, 'id' | 'payload'>) => (payload: unknown) => void {
  const checks = new Map<string, (payload: unknown) => void>()
  return ({ id, payload }) => {
    let check = checks.get(id)
    if (check === undefined) {
      const report = (fault: string): void => log.warn({ event: id, fault }, 'a payload does not fit the schema of its event')
      check = outputCheck(payload, { isStrict, report, root: 'payload', says: `emitted ${id} against its schema` })
      checks.set(id, check)
    }
    return check
  }
}
