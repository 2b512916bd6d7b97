/** Hosts put this prefix, with the server’s name in it, before a tool’s name. Many allow 64 characters for both. */
const PREFIX = 'mcp__gateway__'
const MAX_CHARACTERS = 64
const MAX_NAME = MAX_CHARACTERS - PREFIX.length

/** Warns of a name that is too long with the usual prefix; undefined for a name that fits. */
export function prefixWarning(name: string): string | undefined {
  if (name.length <= MAX_NAME) return undefined
  return `With the prefix ${PREFIX} that hosts put before it, the name has ${PREFIX.length + name.length} characters, and many hosts allow ${MAX_CHARACTERS}: they leave the tool out, or refuse the whole list. A name of at most ${MAX_NAME} characters fits.`
}
