import { BoundedMap } from '../bounds/bounded-map.ts'

/** Words that mark a field's value as secret. */
const SECRET_WORDS = new Set(
  'password passwd passphrase pwd secret secrets token authorization cookie cookies credential credentials jwt apikey'.split(' '),
)
/** Pairs of words that mark a field's value as secret. */
const SECRET_PAIRS = new Set(
  'api key,access key,private key,secret key,signing key,encryption key,account key,shared key,auth key,connection string'.split(','),
)
/**
 * Prefixes that make `pass` a password, as in DB_PASS. Alone, and after most other words, `pass` means a run of tests or a turn.
 */
for (const whose of 'db database mysql mariadb pg postgres redis mongo mongodb amqp rabbitmq smtp imap mail ftp ssh ldap auth root admin user'.split(
  ' ',
))
  for (const word of ['pass', 'pw']) SECRET_PAIRS.add(`${whose} ${word}`)
/** Endings of secret names written without a separator. */
const SECRET_ENDING = /(?:password|dbpass|passwd|passphrase|secret|token|apikey|accesskey|privatekey|secretkey)$/
/** Every name of a secret has one of these parts, and few other names do. */
const HINT = /pass|pwd?|secret|token|auth|cookie|credential|jwt|key|string/
/** Last words that make a field describe a secret without holding one. */
const ABOUT = new Set(
  'policy length count counts limit budget age type kind name id ids expiry expires at url uri path file required set used usage total cost ms seconds'.split(
    ' ',
  ),
)

export const MAX_NAME = 80

/**
 * True if a field of this name holds a secret: in camel, snake, kebab or dotted form. For names of more than 80 characters the
 * end decides.
 */
export function isSecretName(name: string): boolean {
  if (name.length < SHORTEST_NAME) return false
  const end = name.length > MAX_NAME ? name.slice(-MAX_NAME) : name
  let isSecret = known.get(end)
  if (isSecret === undefined) known.set(end, (isSecret = HINT.test(end.toLowerCase()) && saysSecret(end)))
  return isSecret
}

/** The same few names come again and again. */
const MAX_KNOWN = 2_000
const known = new BoundedMap<string, boolean>(MAX_KNOWN)
/** `pwd`, `jwt`. */
const SHORTEST_NAME = 3

function saysSecret(end: string): boolean {
  const words = wordsOf(end)
  if (words.length > 1 && ABOUT.has(words.at(-1) as string)) return false
  return words.some(
    (word, i) => SECRET_WORDS.has(word) || SECRET_ENDING.test(word) || (i > 0 && SECRET_PAIRS.has(`${words[i - 1]} ${word}`)),
  )
}

const NUMERIC_SECRET = /^(?:pin|cvv|cvc|otp|pwd)$|(?:passcode|password|passwd|passphrase)$/

/** True if a field of this name holds a secret that may consist of digits alone: a PIN, a card's check number, a one-time password. */
export function isNumericSecretName(name: string): boolean {
  const words = wordsOf(name.slice(-MAX_NAME))
  return !(words.length > 1 && ABOUT.has(words.at(-1) as string)) && words.some((word) => NUMERIC_SECRET.test(word))
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Names whose value extends to the end of the line: headers. */
export function isHeaderName(name: string): boolean {
  return /(?:authorization|cookie)$/i.test(name.slice(-MAX_NAME))
}
