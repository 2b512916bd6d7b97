import { inline, plural, report } from './markdown.ts'
import type { Work } from './rank.ts'

export interface Evening {
  readonly day: string
  readonly completed: readonly Pick<Work, 'repo' | 'title'>[]
  readonly completedCount: number
  /** `undefined` if nothing meters it. */
  readonly spendUsd: number | undefined
  readonly repos: readonly string[]
  readonly preview: readonly Work[]
}

const MAX_LISTED = 20

export function eveningReport({ day, completed, completedCount, spendUsd, repos, preview }: Evening): string {
  const listed = completed.slice(0, MAX_LISTED).map(({ repo, title }) => `- ${inline(repo)}: ${inline(title)}`)
  const more = completedCount - listed.length
  return report(
    `# Evening report, ${day}`,
    `**${plural(completedCount, 'task')} completed** in ${plural(repos.length, 'repo')}. LLM spend: ${
      spendUsd === undefined ? 'not metered' : `$${spendUsd.toFixed(2)}`
    }.`,
    listed.length === 0 ? '' : ['## Completed today', '', ...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    repos.length === 0 ? '' : `## Repos worked\n\n${repos.map((repo) => inline(repo)).join(', ')}`,
    `## Tomorrow\n\n${
      preview.length === 0
        ? 'Nothing is pending.'
        : preview.map(({ priority, repo, title }) => `- ${priority} ${inline(repo)}: ${inline(title)}`).join('\n')
    }`,
  )
}
