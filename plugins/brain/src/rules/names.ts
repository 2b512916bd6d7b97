import { BadRequest } from '@gateway/sdk'

/** The whole branch, or one kind of them. */
export const MAIN = 'main'
const BRANCH = /^(?:main|(session|idea)\/([A-Za-z0-9_][A-Za-z0-9._-]*))$/

/** The schema has checked the letters; here what a path or a ref could still read otherwise. */
function isName(text: string): boolean {
  return !text.includes('..') && !/[.-]$/.test(text) && !/\.(lock|git)$/i.test(text)
}

/** Throws BAD_REQUEST naming `field`. */
export function checkName(field: string, text: string): void {
  if (isName(text)) return
  const message = `\`${field}\` must be letters, digits, \`.\`, \`_\` and \`-\`, without \`..\`, not ending in \`.\`, \`-\`, \`.lock\` or \`.git\`; got ${JSON.stringify(text)}`
  throw BadRequest({ field, message })
}

export function isBranch(text: string): boolean {
  const found = BRANCH.exec(text)
  return found !== null && (found[2] === undefined || (found[2].length <= 80 && isName(found[2])))
}

export const refOf = (branch: string): string => `refs/heads/${branch}`
export const anchorOf = (namespace: string): string => `refs/anchors/${namespace}`
export const isSession = (branch: string): boolean => branch.startsWith('session/')
