import { BadRequest } from '@gateway/sdk'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/

/** Checks a path of the repository from a caller: taken literally, and never outside of it. */
export function checkAskedPath(path: string | undefined): void {
  if (path === undefined) return
  const parts = path.split('/')
  if (!CONTROL.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..')) return
  throw BadRequest({
    field: 'path',
    message: `\`path\` must be a relative path without \`.\`, \`..\` and empty parts; got ${JSON.stringify(path)}`,
  })
}
