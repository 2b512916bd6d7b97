const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** Formats a day in spoken form, `7 May 2023`; '' if the text does not begin with a date. */
export function spokenDate(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-([0-2]\d|3[01])(?!\d)/.exec(iso) ?? []
  return year === undefined ? '' : `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

const SPOKEN = new RegExp(
  `(\\d{4})-(\\d{2})-(\\d{2})|(\\d{1,2})\\.?\\s+(${MONTHS.join('|')}),?\\s+(\\d{4})|(${MONTHS.join('|')})\\s+(\\d{1,2}),?\\s+(\\d{4})`,
  'i',
)

/** Returns the first date in a heading, as the first moment of that day. */
export function dateIn(text: string): string | undefined {
  const found = SPOKEN.exec(text)
  if (!found) return undefined
  const [, y1, m1, d1, d2, month2, y2, month3, d3, y3] = found
  const monthOf = (name: string | undefined): string => String(MONTHS.findIndex((one) => one.toLowerCase() === name?.toLowerCase()) + 1)
  const parts = y1 ? [y1, m1, d1] : y2 ? [y2, monthOf(month2), d2] : [y3, monthOf(month3), d3]
  const [year, month, day] = parts.map((part) => String(part).padStart(2, '0'))
  const iso = `${year}-${month}-${day}T00:00:00.000Z`
  return Number.isNaN(Date.parse(iso)) || new Date(iso).toISOString() !== iso ? undefined : iso
}
