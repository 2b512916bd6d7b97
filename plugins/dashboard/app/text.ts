/**
 * Makes untrusted text readable: control characters and those that change the direction of text are shown as visible signs, so
 * that no text looks like another.
 */
export function readable(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (sign) => {
    const code = sign.charCodeAt(0)
    if (code === 0x0d) return ''
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    // Joiners shape letters and emoji.
    if (code === 0x200c || code === 0x200d) return sign
    return `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Cuts the text to at most `most` whole characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

export function plain(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'string') return readable(value)
  if (typeof value === 'object') return readable(JSON.stringify(value))
  return String(value)
}
