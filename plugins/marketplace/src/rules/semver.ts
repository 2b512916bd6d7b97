const PART = '(0|[1-9][0-9]{0,8})'
const STRICT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`)

/**
 * Returns a strict X.Y.Z as a text that sorts as versions do, or `undefined` for anything else: no `v`, no leading zero, no
 * pre-release, no build. A part has at most nine digits.
 */
export function rankOf(version: string): string | undefined {
  const parts = STRICT.exec(version)?.slice(1)
  return parts?.map((part) => part.padStart(9, '0')).join('.')
}
