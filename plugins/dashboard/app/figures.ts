/** Numbers and times in the reader's own language and zone. */
const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Above this, all digits would add nothing and fill the row: callers may send any number. */
const LARGE = 1e15

export const number = (value: number): string => (Math.abs(value) < LARGE ? whole.format(value) : value.toExponential(2))

export function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** `5 min. ago`, `in 2 hr.`, `now`. */
export function ago(time: Date, now: number): string {
  const seconds = (time.getTime() - now) / 1000
  for (const [unit, length] of STEPS) if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  return Math.abs(seconds) < 10 ? 'now' : relative.format(Math.trunc(seconds), 'second')
}

const hours = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const years = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const DAY_MS = 86_400_000

/** `14:05` if it is near, `Jan 15, 14:05` in half a year, else `Jan 15, 2024`. */
export function clockTime(time: Date, now: number): string {
  const away = Math.abs(time.getTime() - now)
  return (away < DAY_MS / 2 ? hours : away < 180 * DAY_MS ? days : years).format(time)
}

export const exactly = (time: Date): string => exact.format(time)

const A_YEAR = STEPS[0][1]

/** `850 ms`, `12.5 s`, `3 min 20 s`, `2 d 4 h`, `1.5 y`. */
export function duration(value: number, unit = 'ms'): string {
  const exact = unit === 's' ? value : value / 1000
  if (Math.abs(exact) < 1) return `${number(exact * 1000)} ms`
  if (Math.abs(exact) < 60) return `${number(exact)} s`
  const seconds = Math.round(exact)
  const away = Math.abs(seconds)
  if (away >= A_YEAR) return `${number(seconds / A_YEAR)} y`
  const [great, greats, small, smalls] =
    away < 3600 ? [60, 'min', 1, 's'] : away < 86_400 ? [3600, 'h', 60, 'min'] : [86_400, 'd', 3600, 'h']
  return `${Math.trunc(seconds / great)} ${greats} ${Math.trunc((seconds % great) / small)} ${smalls}`.replace(/ 0 \w+$/, '')
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = value
  let at = 0
  while (Math.abs(size) >= 1000 && at < units.length - 1) {
    size /= 1000
    at += 1
  }
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 10 && at > 0 ? 1 : 0 })} ${units[at]}`
}

export function money(value: number, unit = 'USD'): string {
  const amount = unit === 'cents' ? value / 100 : value
  const currency = /^[A-Z]{3}$/.test(unit) ? unit : 'USD'
  const small = Math.abs(amount) < 1 && amount !== 0
  return amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: small ? 4 : 2 })
}

export const percent = (value: number): string => value.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
