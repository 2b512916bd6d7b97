import { cutText } from '@gateway/sdk'

export interface SessionFacts {
  readonly host: string
  readonly machine?: string | undefined
  readonly startedAt: string
  readonly ending: 'ended' | 'crashed' | 'silent'
  readonly gitBranch?: string | undefined
  readonly commits: readonly string[]
  readonly uncommitted: readonly string[]
  /** The newest first. */
  readonly steps: readonly {
    readonly tool?: string | undefined
    readonly target?: string | undefined
    readonly exit: string
    readonly files: readonly string[]
  }[]
  /** Atoms that the session committed, the newest first. */
  readonly atoms: readonly { readonly title: string; readonly excerpt: string }[]
  readonly handoff?: string | undefined
  /** The atom that an earlier end of the session left. */
  readonly earlier?: { readonly title: string; readonly text: string } | undefined
}

const MAX = { atoms: 20, commits: 30, uncommitted: 30, files: 30, failures: 8, line: 300, handoff: 4_000, earlier: 8_000 }

/** True if there is anything that a later session could want to know. */
export const isWorthKeeping = ({ steps, commits, uncommitted, atoms, handoff }: SessionFacts): boolean =>
  steps.length + commits.length + uncommitted.length + atoms.length > 0 || handoff !== undefined

/** Renders a session as the text of one atom: what it decided first, then what it did, what it left and what failed. */
export function distil(facts: SessionFacts): string {
  const { host, machine, startedAt, atoms, commits, uncommitted, steps, handoff } = facts
  const where = machine === undefined ? '' : ` on ${machine}`
  const parts = [
    `# ${titleOf(facts)}`,
    `${host}${where}, begun ${startedAt}${endOf(facts)}.`,
    list(
      'Learned and decided',
      atoms.slice(0, MAX.atoms).map(({ title, excerpt }) => joined(title, excerpt)),
    ),
    handoff === undefined ? '' : `## Handed over\n\n${cutText(handoff.trim(), MAX.handoff)}`,
    list('Commits', commits.slice(0, MAX.commits)),
    list('Left uncommitted', uncommitted.slice(0, MAX.uncommitted)),
    list('Files', ranked(steps.flatMap(({ files }) => files)).slice(0, MAX.files)),
    list('Failed', failures(facts)),
    steps.length === 0 ? '' : `## Steps\n\n${toolCounts(facts)}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The first commit says best what a session was about; then what it decided. */
function titleOf({ commits, atoms, handoff, earlier, steps }: SessionFacts): string {
  const commit = commits[0]?.replace(/^[0-9a-f]{7,40} /, '')
  const noted = handoff
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^#+ */, '')
  return oneLine(commit ?? atoms[0]?.title ?? noted ?? earlier?.title ?? `A session of ${steps.length} steps`, 150)
}

/**
 * Adds what an earlier end left to the text of a session that went on. Returns `undefined` when that end was this one, told again
 * after its answer was lost.
 */
export function withEarlier(text: string, { earlier }: SessionFacts): string | undefined {
  if (earlier === undefined) return text
  if (earlier.text.trim().startsWith(text.trim())) return undefined
  const before = earlier.text.trim().replace(/^(#{1,4}) /gm, '##$1 ')
  return `${text}\n## Before it was continued\n\n${cutText(before, MAX.earlier)}\n`
}

function endOf({ ending, gitBranch }: SessionFacts): string {
  const on = gitBranch === undefined || gitBranch === '' ? '' : `, on the git branch ${gitBranch}`
  if (ending === 'crashed') return `${on}; its process ended without a word`
  return ending === 'silent' ? `${on}; it went silent` : on
}

const failures = ({ steps }: SessionFacts): readonly string[] =>
  [...new Set(steps.filter(({ exit }) => exit === 'error').map(({ tool = 'step', target = '' }) => `${tool} ${target}`.trim()))].slice(
    0,
    MAX.failures,
  )

function toolCounts({ steps }: SessionFacts): string {
  const counts = new Map<string, number>()
  for (const { tool = 'other' } of steps) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 12)
    .map(([tool, count]) => `${tool} ${count}`)
    .join(', ')
}

/** The most frequent first. */
function ranked(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([text]) => text)
}

const joined = (title: string, excerpt: string): string => (excerpt === '' || excerpt === title ? title : `${title}: ${excerpt}`)
const oneLine = (text: string, max: number): string => cutText(text.trim().replace(/\s+/g, ' '), max)

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${oneLine(line, MAX.line)}`).join('\n')}`
}
