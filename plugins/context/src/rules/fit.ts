import { cutText } from '@gateway/sdk'

const MORE = '\n…'

/** Returns the beginning of a text, cut at the end of a line if one is near, with a sign that there is more. */
export function beginning(text: string, max: number): string {
  const whole = text.trim()
  if (whole.length <= max) return whole
  if (max <= MORE.length) return ''
  const cut = cutText(whole, max - MORE.length)
  const line = cut.lastIndexOf('\n')
  const kept = `${(line > cut.length / 2 ? cut.slice(0, line) : cut).trimEnd()}${MORE}`
  const fence = openFence(kept)
  if (fence === '') return kept
  // A block that loses its end would take in the parts that follow.
  const closed = beginning(whole.slice(0, kept.length - MORE.length), max - fence.length - 1)
  return openFence(closed) === '' ? closed : `${closed}\n${fence}`
}

/** Returns the fence of the code block that a text leaves open; '' if it leaves none. */
function openFence(text: string): string {
  let open = ''
  for (const [, run = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = run
    else if (run.startsWith(open) && rest.trim() === '') open = ''
  }
  return open
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
