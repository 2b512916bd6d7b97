/**
 * Keys with the prefix of their issuer, and the length that must follow. The characters after a prefix are one class, so that a
 * search never backtracks.
 */
const shapes = [
  '(?:gw_live_|gw_test_)[A-Za-z0-9_]{16,}',
  'pts_[\\w-]{43}(?![\\w-])',
  '(?:gh[pousr]_|github_pat_|glpat-|gldt-|glsa_|npm_|hf_|dop_v1_|shpat_|whsec_|lin_api_|gsk_|xai-)[\\w-]{16,}',
  '[srp]k_(?:live|test)_[A-Za-z0-9]{10,}',
  '(?:xox[abeprs]-|xapp-)[A-Za-z0-9-]{10,}',
  'A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])',
  'AIza[\\w-]{30,}',
  '(?:ya29\\.|SG\\.|pypi-)[\\w.-]{16,}',
  'sk-[\\w-]{20,}',
]
/** No key is shorter. */
export const SHORTEST = 15
export const KEYS = new RegExp(`(?<![A-Za-z0-9])(?:${shapes.join('|')})`, 'g')

/** Words joined by hyphens may begin like a key; a key has a digit or a capital. */
export function isWords(key: string): boolean {
  return key.startsWith('sk-') && !/[A-Z0-9]/.test(key)
}

/** `eyJ`, which is `{"`, before a dot: a JSON Web Token, with or without its signature. */
export function isJwt(run: string): boolean {
  const parts = run.split('.')
  return parts.some((part, i) => part.length >= 8 && part.includes('eyJ') && (parts[i + 1]?.length ?? 0) >= 5)
}

const MIN_LENGTH = 24
const MIN_CHANGES = 0.35
const MIN_CHANGES_OF_LETTERS = 0.45

/**
 * Guesses whether a run of base64 characters is random. Only runs that mix small and capital letters count, so ids, UUIDs and
 * hexadecimal hashes stay, because nothing tells them from a key. In random text about six of ten neighbours differ in kind
 * (small, capital, digit); in names and paths about two. The guess misses one in a thousand keys of 40 characters, and one in
 * seventy of 24.
 */
export function looksRandom(run: string): boolean {
  if (run.length < MIN_LENGTH || /^sha\d{1,3}-/.test(run)) return false
  let [length, changes, digits] = [0, 0, 0]
  let part = newPart()
  for (let i = 0; i <= run.length; i++) {
    const kind = KIND[run.charCodeAt(i)] ?? OTHER
    if (kind !== OTHER) {
      part.length++
      part.kinds |= 1 << kind
      if (kind === DIGIT) part.digits++
      if (part.before !== OTHER && kind !== part.before) part.changes++
      part.before = kind
      continue
    }
    if (part.length === 0) continue
    if ((part.kinds & BOTH_CASES) === BOTH_CASES) {
      length += part.length
      changes += part.changes
      digits += part.digits
    }
    part = newPart()
  }
  return length >= MIN_LENGTH && changes >= (digits > 0 ? MIN_CHANGES : MIN_CHANGES_OF_LETTERS) * length
}

/** Letters and digits in a row. */
const newPart = () => ({ length: 0, changes: 0, digits: 0, kinds: 0, before: OTHER })

const OTHER = 0
const DIGIT = 1
const CAPITAL = 2
const SMALL = 3
const BOTH_CASES = (1 << CAPITAL) | (1 << SMALL)
const KIND = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))
function kindOf(character: string): number {
  return /\d/.test(character) ? DIGIT : /[A-Z]/.test(character) ? CAPITAL : /[a-z]/.test(character) ? SMALL : OTHER
}
