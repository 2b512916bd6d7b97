import { redactText } from '@gateway/sdk/redact'
import { type AtomDraft, KNOWN_TOPICS } from '../schema.ts'

const SHORT = 80
const LONG = 20_000

/** Suggests improvements that make an atom worth more to later readers. They never stop a commit. */
export function lint({ kind, content, topic }: Pick<AtomDraft, 'kind' | 'content' | 'topic'>): readonly string[] {
  const warnings: string[] = []
  if (topic === undefined)
    warnings.push(`No topic: filed under general. Known topics: ${KNOWN_TOPICS.join(', ')}; others are taken as well.`)
  if (redactText(content.slice(0, 100_000)) !== content.slice(0, 100_000))
    warnings.push('The content seems to contain a secret. Commits are permanent: rotate it.')
  return kind === 'session' ? [...warnings, ...sessionWarnings(content)] : warnings
}

function sessionWarnings(content: string): readonly string[] {
  const warnings: string[] = []
  if (content.trim().length < SHORT) warnings.push(`Short: fewer than ${SHORT} characters help a later reader little.`)
  if (content.length > LONG) warnings.push(`Long: more than ${LONG} characters; several atoms of one thing each are found better.`)
  if (!/^#{1,6}\s+\S/m.test(content)) warnings.push('No heading: its first line becomes the title.')
  if (!/\b(decid|decision|because|learned|next|todo|done|fixed|changed|outcome|result)/i.test(content))
    warnings.push('The content names neither results, decisions or lessons nor the next step.')
  return warnings
}
