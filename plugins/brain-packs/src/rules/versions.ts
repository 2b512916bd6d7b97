/** Orders versions ascending, by numbers. Versions are checked by their schema. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one.split('.').map(Number), other.split('.').map(Number)]
  for (let at = 0; at < 3; at++) {
    const by = (a[at] as number) - (b[at] as number)
    if (by !== 0) return by
  }
  return 0
}

export const latestOf = <T extends { readonly version: string }>(versions: readonly T[]): T | undefined =>
  [...versions].sort((a, b) => compareVersions(b.version, a.version))[0]
