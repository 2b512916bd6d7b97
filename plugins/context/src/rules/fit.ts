import { cutText } from '@gateway/sdk'

const MORE = '\n…'

/** Returns the beginning of a text, cut at the end of a line if one is near, with a sign that there is more. */
export function beginning(text: string, max: number): string {
  const whole = text.trim()
  if (whole.length <= max) return whole
  if (max <= MORE.length) return ''
  const cut = cutText(whole, max - MORE.length)
  const line = cut.lastIndexOf('\n')
  return `${(line > cut.length / 2 ? cut.slice(0, line) : cut).trimEnd()}${MORE}`
}

/** Divides `total` among `wants`: capacity that one does not need goes to the others, in equal shares. */
export function shares(total: number, wants: readonly number[]): readonly number[] {
  const given = wants.map(() => 0)
  let left = Math.max(0, total)
  let open = wants.map((want, at) => ({ want, at })).sort((a, b) => a.want - b.want)
  while (open.length > 0) {
    const [next, ...others] = open
    if (!next) break
    const share = Math.min(next.want, Math.floor(left / open.length))
    given[next.at] = share
    left -= share
    open = others
  }
  return given
}
