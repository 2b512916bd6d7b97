import { BadRequest, Unavailable } from '@gateway/sdk'

/** Git's messages for a request that violates its protocol, or asks for a missing object. */
const REQUEST = new RegExp(
  [
    'protocol error|hung up|not our ref|SHA1 list|deepen|depth|shallow line|filter|sparse|not a valid object',
    'invalid command|no command requested|after already requesting|unknown (?:object format|capability|ref)|mismatched object format',
    'expected flush|unexpected (?:line|flush)',
  ].join('|'),
  'i',
)
const LIMIT = /out of memory|over limit|cannot allocate/i

/** Returns the failure of a fetch: of its request, of a limit of the process, or, undeclared, of the repository. */
export function transferFault(code: number | null, errors: string): Error {
  const reason = errors.trim().slice(0, 500)
  if (code === null || LIMIT.test(reason))
    return Unavailable({ message: 'The fetch took more memory or time than plugins.git.limits allows.', setting: 'plugins.git.limits' })
  if (REQUEST.test(reason)) return BadRequest({ field: 'body', message: `\`body\` must be a request of the git protocol; got: ${reason}` })
  return new Error(`git upload-pack failed (${code}): ${reason}`)
}
