import { cutText } from '@gateway/sdk'

export interface BriefAtom {
  readonly kind: string
  readonly namespace: string
  readonly topic: string
  readonly title: string
  readonly excerpt: string
  readonly at: string
  readonly sha8: string
  readonly pinned: boolean
  readonly superseded: boolean
}

const PINNED = 10
const NEWEST = 12
/** Maximum number of atoms in one section of a topic. */
export const TOPIC_ATOMS = 20
/** Maximum number of topics in one brief. */
export const MAX_TOPICS = 40

const line = ({ at, sha8, title, kind, pinned }: BriefAtom): string =>
  `- ${at.slice(0, 10)} \`${sha8}\` ${title}${kind === 'session' ? '' : ` (${kind})`}${pinned ? ' [pinned]' : ''}`

const current = (atoms: readonly BriefAtom[]): readonly BriefAtom[] => atoms.filter((atom) => !atom.superseded || atom.pinned)

/** Compiles the brief of one namespace from its atoms on main, newest first. */
export function compileBrief(namespace: string, atoms: readonly BriefAtom[], topics: readonly string[]): string {
  const all = current(atoms)
  const pinned = all.filter((atom) => atom.pinned).slice(0, PINNED)
  const handoff = all.find((atom) => atom.kind === 'handoff')
  const newest = all.filter((atom) => !atom.pinned && atom !== handoff).slice(0, NEWEST)
  const parts = [`# ${namespace}\n`]
  if (handoff) parts.push(`## Handoff\n\n${line(handoff)}\n${handoff.excerpt === '' ? '' : `\n${handoff.excerpt}\n`}`)
  if (pinned.length > 0) parts.push(`## Pinned\n\n${pinned.map(line).join('\n')}\n`)
  if (newest.length > 0) parts.push(`## Newest\n\n${newest.map(line).join('\n')}\n`)
  if (topics.length > 0) parts.push(`## Topics\n\n${topics.slice(0, MAX_TOPICS).join(', ')}\n`)
  return parts.join('\n')
}

export function compileTopic(namespace: string, topic: string, atoms: readonly BriefAtom[]): string {
  const shown = current(atoms).slice(0, TOPIC_ATOMS)
  const entries = shown.map((atom) => `${line(atom)}${atom.excerpt === '' ? '' : `\n  ${atom.excerpt}`}`)
  return `# ${namespace}: ${topic}\n\n${entries.join('\n')}\n`
}

export function compileBoot(
  spaces: readonly { readonly namespace: string; readonly atoms: number; readonly newestAt: string }[],
  memory: readonly BriefAtom[],
  budget: number,
): string {
  if (spaces.length === 0 && memory.length === 0) return ''
  const kept = current(memory)
  const ranked = [...kept.filter((atom) => atom.pinned), ...kept.filter((atom) => !atom.pinned)]
  const repos = spaces.map(({ namespace, atoms, newestAt }) => `- ${namespace}: ${atoms} atoms, newest ${newestAt.slice(0, 10)}`)
  const parts = [
    ...(repos.length > 0 ? ['## Repos', '', ...repos, ''] : []),
    ...(ranked.length > 0 ? ['## Memory', '', ...ranked.map(line), ''] : []),
  ]
  return within(parts, budget)
}

/** Returns as many whole lines as fit. */
export function within(lines: readonly string[], budget: number): string {
  let text = ''
  for (const one of lines) {
    if (text.length + one.length + 1 > budget) break
    text += `${one}\n`
  }
  return text === '' ? cutText(lines[0] ?? '', budget) : text
}
