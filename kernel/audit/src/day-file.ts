import { DAY_MS } from '@gateway/sdk'

/**
 * Names of day files sort in the order of the chain. `2026-11-27.jsonl` holds the records of a day. After the clock stepped back by more
 * than a day from 2030-01-01, those of 2026-11-28 are in `2030-01-01_0001_2026-11-28.jsonl`; the number counts such steps.
 */
const NAME = /^(\d{4}-\d\d-\d\d)(?:_(\d{4})_(\d{4}-\d\d-\d\d))?$/
const MAX_STEPS = 9_999

const SUFFIX = '.jsonl'
export const dayFile = (name: string): string => `${name}${SUFFIX}`
export const isDayName = (name: string): boolean => NAME.test(name)
export const isDayFile = (file: string): boolean => file.endsWith(SUFFIX) && isDayName(nameOf(file))

/** The name in a day file or a file set aside from it. */
export const nameOf = (file: string): string => file.slice(0, Math.max(0, file.indexOf('.')))

/** The day of the latest records of a file; none is more than a day earlier, except in files of earlier versions. */
export function dayOfFile(file: string): string {
  const [, first = '', , day = first] = NAME.exec(nameOf(file)) ?? []
  return day
}

/** The name of the file for a record of `day`, after the newest file is `newest`, '' before the first. */
export function nextName(newest: string, day: string): string {
  const [, first = '', steps = '0', last = first] = NAME.exec(newest) ?? []
  if (day > first) return day
  if (day > last) return `${first}_${steps}_${day}`
  const isNear = Date.parse(day) >= Date.parse(last) - DAY_MS
  if (isNear || Number(steps) === MAX_STEPS) return newest
  return `${first}_${String(Number(steps) + 1).padStart(4, '0')}_${day}`
}
