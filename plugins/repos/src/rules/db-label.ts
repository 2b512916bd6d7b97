import { redactText } from '@gateway/sdk/redact'

export function holdsCredentials(label: string): boolean {
  if (/[a-z][a-z0-9+.-]*:\/\/[^\s/]*@/i.test(label)) return true
  if (/(?:^|[;\s&?])(?:password|passwd|pwd|pass|secret|token|user id|uid)\s*=\s*\S/i.test(label)) return true
  return redactText(label) !== label
}
