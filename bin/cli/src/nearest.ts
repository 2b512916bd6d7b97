import { closestMatch } from 'leven'

/** Returns ` Did you mean X?`, or '' if no known name is similar enough. */
export function didYouMean(given: string, known: Iterable<string>, shown = (name: string): string => `\`${name}\``): string {
  const near = closestMatch(given, [...known], { maxDistance: Math.max(2, Math.floor(given.length / 4)) })
  return near === undefined ? '' : ` Did you mean ${shown(near)}?`
}
