const MAX_LENGTH = 50

/**
 * Returns a folder name for an idea: its words in lower case, without accents, joined by dashes; `undefined` when no word is
 * left.
 */
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
