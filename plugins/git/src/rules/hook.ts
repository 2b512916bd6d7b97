import type { PushedRef } from '../api.ts'

/**
 * The hook that git runs before refs move. It asks the gateway over the channel that git inherited from it: first the object
 * folder of the push, then a line for each ref, then a dot. The answer is one line: `ok`, or the message for the client.
 */
export const PRE_RECEIVE = `#!/bin/sh
{ printf '%s\\n' "$GIT_QUARANTINE_PATH"; cat; printf '.\\n'; } >&3
IFS= read -r answer <&3 || exit 1
[ "$answer" = ok ] && exit 0
printf '%s\\n' "$answer" >&2
exit 1
`

const ZEROS = /^0+$/
const REF_LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (\S+)$/

/** Parses the hook's question; `undefined` if malformed. A push that only deletes has no objects, and '' for them. */
export function readQuestion(lines: readonly string[]): { readonly objects: string; readonly refs: readonly PushedRef[] } | undefined {
  const [objects = '', ...rest] = lines
  const refs = rest.flatMap((line): PushedRef[] => {
    const [, from = '', to = '', ref = ''] = REF_LINE.exec(line) ?? []
    return ref === '' ? [] : [{ ref, from: ZEROS.test(from) ? undefined : from, to: ZEROS.test(to) ? undefined : to }]
  })
  return refs.length === rest.length ? { objects, refs } : undefined
}
