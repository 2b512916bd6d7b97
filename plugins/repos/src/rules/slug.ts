const MAX_LENGTH = 50

/** A folder’s name from an idea: its words in small letters, without accents, joined by dashes; `undefined` when none is left. */
export function slugOf(idea: string): string | undefined {
  const words = idea
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, MAX_LENGTH) : `${slug}-${word}`
    if (longer.length > MAX_LENGTH) break
    slug = longer
  }
  return slug === '' ? undefined : slug
}
