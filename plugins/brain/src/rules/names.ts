import { REPO_NAME } from '@gateway/plugin-repos/api'
import { BadRequest } from '@gateway/sdk'

export const MAIN = 'main'
const BRANCH = /^(?:main|(session|idea)\/(.+))$/
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/
const REPO = new RegExp(REPO_NAME.matches, 'u')
const MAX_REPO = 200
const MAX_TOPIC = 60

/** True for a slug or a topic: a part of paths and refs, without anything that git or a file system treats specially. */
export function isName(text: string): boolean {
  return NAME.test(text) && !text.includes('..') && !/[.-]$/.test(text) && !/\.(lock|git)$/i.test(text)
}
export const isTopic = (text: string): boolean => text.length <= MAX_TOPIC && isName(text)

/** True for the name of a repo, by the rule for repos everywhere. */
export const isRepo = (text: string): boolean => text.length <= MAX_REPO && REPO.test(text) && !/\p{Surrogate}/u.test(text)

/** Throws BAD_REQUEST naming `field`. */
export function checkName(field: string, text: string): void {
  if (isName(text)) return
  const message = `\`${field}\` must be letters, digits, \`.\`, \`_\` and \`-\`, without \`..\`, not ending in \`.\`, \`-\`, \`.lock\` or \`.git\`; got ${JSON.stringify(text)}`
  throw BadRequest({ field, message })
}

/** Throws BAD_REQUEST naming `field`. */
export function checkRepo(field: string, text: string): void {
  if (isRepo(text)) return
  const message = `\`${field}\` must be the name of a repo: at most ${MAX_REPO} characters without \`/\`, \`\\\` and control characters, not beginning with \`-\`, not ending in a blank; got ${JSON.stringify(text.slice(0, MAX_REPO))}`
  throw BadRequest({ field, message })
}

export function isBranch(text: string): boolean {
  const name = BRANCH.exec(text)
  return name !== null && (name[2] === undefined || (name[2].length <= 80 && isName(name[2])))
}

/** Throws BAD_REQUEST naming `field`. */
export function checkBranch(field: string, text: string): void {
  if (isBranch(text)) return
  throw BadRequest({ field, message: `\`${field}\` must be main, session/… or idea/…; got ${JSON.stringify(text)}` })
}

export const refOf = (branch: string): string => `refs/heads/${branch}`
export const isSession = (branch: string): boolean => branch.startsWith('session/')
