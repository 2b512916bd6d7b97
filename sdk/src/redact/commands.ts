import { REDACTED, valueAfter } from './value.ts'

/** Programs whose `-p` is directly followed by the password. After a blank the argument is the name of a database. */
const ATTACHED = /(?:^|[^\w.-])(?:mysql|mariadb)[\w-]*(?:\.exe)?\s[^\n;|]*$/
/** Programs whose password is the next argument, by flag. */
const NEXT: Readonly<Record<string, RegExp>> = {
  p: /(?:^|[^\w.-])(?:sshpass|mongo[a-z]*|(?:docker|podman) login)\s[^\n;|]*$/,
  a: /(?:^|[^\w.-])redis-cli\s[^\n;|]*$/,
}
/** Texts without any of these words are not searched further. */
const PROGRAM = /mysql|mariadb|sshpass|mongo|login|redis-cli/
/** Distance before the flag in which the program is searched. */
const REACH = 200

/** Finds passwords in the command lines of well-known programs: `mysql -pSECRET`, `sshpass -p SECRET`, `redis-cli -a SECRET`. */
export function argumentsOfCommands(text: string): string {
  if (!PROGRAM.test(text)) return text
  let result = ''
  let from = 0
  const flag = /\s-([pa])(?=[ \t]*[^\s-])/g
  for (let found = flag.exec(text); found !== null; found = flag.exec(text)) {
    const at = flag.lastIndex
    const isApart = text[at] === ' ' || text[at] === '\t'
    const [, letter] = found as unknown as [string, string]
    const program = isApart ? NEXT[letter] : letter === 'p' ? ATTACHED : undefined
    if (program === undefined || !program.test(text.slice(Math.max(from, found.index - REACH), found.index + 1))) continue
    const { start, end } = valueAfter(text, at, false, '')
    if (start === end) continue
    result += text.slice(from, start) + REDACTED
    from = end
    flag.lastIndex = from
  }
  return result + text.slice(from)
}
