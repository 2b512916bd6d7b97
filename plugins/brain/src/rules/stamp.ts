import { BadRequest } from '@gateway/sdk'
import { isTime } from './paths.ts'

/** The letters are checked by the schema; here that it is a time there is. */
export function checkStamp(stamp: string | undefined): void {
  if (stamp === undefined || isTime(stamp)) return
  throw BadRequest({ field: 'since', message: `\`since\` must be a time in UTC, YYYYMMDDTHHMMSSZ; got ${JSON.stringify(stamp)}` })
}
