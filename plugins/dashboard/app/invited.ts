import { signal } from '@preact/signals'

export const invitation = signal<string | undefined>(undefined)

/** Takes the invitation that the address ends with, `#invitation=<tenant>~<secret>`, and removes it from the address. */
export function takeInvitation(): void {
  const found = /^#invitation=([^~]+~[^~]+)$/.exec(location.hash)?.[1]
  if (found === undefined) return
  history.replaceState(null, '', location.pathname + location.search)
  invitation.value = found
}
