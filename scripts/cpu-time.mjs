import { readFileSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second, regardless of its own clock. */
const TICKS_PER_SECOND = 100

/**
 * Returns the CPU seconds of this process and of all its ended descendants, user and system; undefined if the system has no
 * /proc. A descendant whose own parent was killed is missing, because no process waited for it.
 */
export function cpuSeconds() {
  const ended = endedChildrenSeconds()
  if (ended === undefined) return undefined
  const { user, system } = process.cpuUsage()
  return ended + (user + system) / 1e6
}

function endedChildrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The second field is the name of the program, which may hold spaces and parentheses.
    const [cutime, cstime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15)
    return (Number(cutime) + Number(cstime)) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}

/** @param {number} seconds */
export function cpuText(seconds) {
  const whole = Math.round(seconds)
  return whole < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
