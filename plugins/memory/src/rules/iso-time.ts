const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)? ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/** A time in ISO 8601, in any zone, as UTC with milliseconds; UTC when it names no zone. Undefined for anything else, such as 30 February. */
export function isoTime(text: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = ISO.exec(text.trim()) ?? []
  if (year === undefined) return undefined
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const ms = Date.parse(local)
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== local) return undefined
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  const utc = new Date(ms - offset)
  return utc.getUTCFullYear() >= 1 && utc.getUTCFullYear() <= 9_999 ? utc.toISOString() : undefined
}
