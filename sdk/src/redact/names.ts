import { BoundedMap } from '../bounds/bounded-map.ts'

/** Words that, in the name of a field, say that its value is a secret. */
const SECRET_WORDS = new Set(
  'password passwd passphrase pwd secret secrets token authorization cookie cookies credential credentials jwt apikey'.split(' '),
)
/** The same for two words in a row. */
const SECRET_PAIRS = new Set(
  'api key,access key,private key,secret key,signing key,encryption key,account key,shared key,auth key,connection string'.split(','),
)
/** Whose `pass` it is, as in DB_PASS: alone, and after most other words, it is a run of tests or a turn. */
for (const whose of 'db database mysql mariadb pg postgres redis mongo mongodb amqp rabbitmq smtp imap mail ftp ssh ldap auth root admin user'.split(
  ' ',
))
  for (const word of ['pass', 'pw']) SECRET_PAIRS.add(`${whose} ${word}`)
/** Names written without a seam end in one of these. */
const SECRET_ENDING = /(?:password|dbpass|passwd|passphrase|secret|token|apikey|accesskey|privatekey|secretkey)$/
/** Every name of a secret has one of these parts, and few other names do. */
const HINT = /pass|pwd?|secret|token|auth|cookie|credential|jwt|key|string/
/** A last word by which the field is about a secret, and is none. */
const ABOUT = new Set(
  'policy length count counts limit budget age type kind name id ids expiry expires at url uri path file required set used usage total cost ms seconds'.split(
    ' ',
  ),
)

export const MAX_NAME = 80

/** Whether a field of this name holds a secret: in camel, snake, kebab or dotted form. Names of more than 80 characters do by their end. */
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

/** Whether a field of this name holds a secret that may consist of digits alone: a PIN, a card's check number, a one-time password. */
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

/** Names whose value goes to the end of its line: headers. */
export function isHeaderName(name: string): boolean {
  return /(?:authorization|cookie)$/i.test(name.slice(-MAX_NAME))
}
