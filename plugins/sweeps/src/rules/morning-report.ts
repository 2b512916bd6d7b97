import type { Brief, RankedRepo } from '../schema.ts'
import { inline, plural, report } from './markdown.ts'
import type { Work } from './rank.ts'

export interface Morning {
  readonly day: string
  readonly repos: readonly RankedRepo[]
  readonly briefs: readonly Brief[]
  readonly work: readonly Work[]
  /** True if there was more than was read. */
  readonly truncated: boolean
}

const MAX_REPOS = 20

export function morningReport({ day, repos, briefs, work, truncated }: Morning): string {
  const of = (...statuses: readonly string[]) => work.filter(({ status }) => statuses.includes(status)).length
  const figures = [
    `${of('pending')} pending`,
    `${of('working')} in work`,
    `${of('review')} to review`,
    `${of('blocked', 'dead_letter')} stuck`,
  ].join(' · ')
  const rows = repos
    .slice(0, MAX_REPOS)
    .map(
      (one) =>
        `| ${inline(one.repo)} | ${one.pending} | ${one.urgent} | ${one.working} | ${one.review} | ${one.stuck} | ${inline((one.reasons ?? []).join(', '))} |`,
    )
  const left = repos.length > MAX_REPOS ? `and ${plural(repos.length - MAX_REPOS, 'more repo')}` : ''
  return report(
    `# Morning report, ${day}`,
    work.length === 0
      ? 'Nothing waits. A good day to plan.'
      : `**${figures}** in ${plural(new Set(work.map(({ repo }) => repo)).size, 'repo')}.`,
    ...briefs.map(({ repo, text }, index) => `## ${index + 1}. ${inline(repo)}\n\n${text.trim()}`),
    repos.length === 0
      ? ''
      : ['## All repos', '', '| Repo | Pending | Urgent | In work | Review | Stuck | Why |', '|---|--:|--:|--:|--:|--:|---|', ...rows].join(
          '\n',
        ),
    left,
    truncated ? '_More waits than was looked at: the figures count the most urgent of each status._' : '',
  )
}

/** Brief of a repo without an agent: its figures, and its first tasks. */
export function plainBrief(repo: RankedRepo, work: readonly Work[]): string {
  const own = work.filter((one) => one.repo === repo.repo)
  const list = (heading: string, ...statuses: readonly string[]): string => {
    const found = own.filter(({ status }) => statuses.includes(status)).slice(0, 3)
    return found.length === 0 ? '' : [heading, '', ...found.map(({ priority, title }) => `- ${priority} ${inline(title)}`)].join('\n')
  }
  return report(
    repo.reasons && repo.reasons.length > 0 ? `It needs attention: ${repo.reasons.map(inline).join(', ')}.` : '',
    `${repo.pending} pending (${repo.urgent} urgent), ${repo.working} in work, ${repo.review} to review, ${repo.stuck} stuck.`,
    list('**Stuck**', 'blocked', 'dead_letter'),
    list('**To review**', 'review'),
    list('**Next**', 'pending'),
  ).trim()
}
