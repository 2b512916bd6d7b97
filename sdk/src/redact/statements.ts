import { QUOTES, REDACTED, valueAfter } from './value.ts'

/** In capitals it is a command or a clause: `PASSWD x`, `PASSWORD 'x'`. Otherwise it may be prose. */
const WORD = /(?<![\w/.-])(?:passwd|password|passphrase|identified by)(?=[ \t]{1,8}[^\s=:-])/gi
/** Texts without any of these words are not searched further. */
const ANY = /passw|passphrase|identified by/i
/** Words with digits that are not passwords: `the password sha256 is made of`, `password base64 encoded`. */
const TERM = /^(?:v?[\d.]+|(?:sha|md|utf|base|argon|pbkdf|oauth|aes|rsa|step|rule|test|version)-?\d+[\w-]*)$/i

/** Finds passwords that follow their name after a blank alone. Prose about passwords stays. */
export function passwordsAlone(text: string): string {
  if (!ANY.test(text)) return text
  let result = ''
  let from = 0
  WORD.lastIndex = 0
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const after = WORD.lastIndex
    const { start, end } = valueAfter(text, after, false, '')
    const value = text.slice(start, end)
    const isQuoted = QUOTES.includes(text[start - 1] as string)
    const [word] = found
    const isCommand = word === word.toUpperCase() && (isQuoted || isAlone(text, found.index, end))
    const isClause = isQuoted && word.toLowerCase() === 'identified by'
    if (value === '' || !(isClause || (isCommand ? !/^[A-Z]+[.!?]?$/.test(value) : isOpaque(value)))) continue
    result += text.slice(from, start) + REDACTED
    from = end
    WORD.lastIndex = from
  }
  return result + text.slice(from)
}

/** True if the line holds nothing else. */
function isAlone(text: string, start: number, end: number): boolean {
  return /(?:^|\n)[ \t>]*$/.test(text.slice(Math.max(0, start - 9), start)) && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 9))
}

/** True for letters and digits that form no word, path, address or term. */
function isOpaque(value: string): boolean {
  return value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[/\\@:]/.test(value) && !TERM.test(value)
}
