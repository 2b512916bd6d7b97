import { BadRequest } from '@gateway/sdk'
import { isTime } from './paths.ts'

/** Checks that the stamp is an existing time; the schema checks its characters. */
export function checkStamp(stamp: string | undefined): void {
  if (stamp === undefined || isTime(stamp)) return
  throw BadRequest({ field: 'since', message: `\`since\` must be a time in UTC, YYYYMMDDTHHMMSSZ; got ${JSON.stringify(stamp)}` })
}
