import { BadRequest } from '@gateway/sdk'
import { stampOf, timeOf } from './paths.ts'

/** The letters are checked by the schema; here that it is a time there is. */
export function checkStamp(stamp: string | undefined): void {
  if (stamp === undefined) return
  const time = Date.parse(timeOf(stamp))
  if (!Number.isNaN(time) && stampOf(new Date(time)) === stamp) return
  throw BadRequest({ field: 'since', message: `\`since\` must be a time in UTC, YYYYMMDDTHHMMSSZ; got ${JSON.stringify(stamp)}` })
}
