import type { OpenTasks, TaskFigures } from '@gateway/plugin-tasks/api'
import { defined } from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import type { HandoffTimes } from '../api.ts'
import { attentionOf, type Part } from '../rules/attention.ts'
import type { ComplianceChecks } from './compliance.ts'
import { frameworkTimes } from './framework-times.ts'

/** Maximum number of ranked repos. Each costs a few looks at its folder. */
export const MAX_RANKED = 1_000
const AT_ONCE = 16

interface Sources {
  readonly tasks: TaskFigures | undefined
  /**
   * The open tasks of each repo that has some; undefined when there are too many to group, and each repo is counted separately.
   */
  readonly open: ReadonlyMap<string, OpenTasks> | undefined
  readonly handoffs: readonly HandoffTimes[]
  readonly checks: ComplianceChecks
}
export interface Ranked {
  name: string
  attention: number
  parts: readonly Part[]
  openTasks: number
  stuckTasks: number
  hasFramework?: boolean
  lastHandoff: string | null
}

/** Ranks repos by the attention that they need, the neediest first, equal ones by name. */
export async function rank(
  repos: readonly { readonly name: string; readonly folder?: string }[],
  { tasks, open, handoffs, checks }: Sources,
  now: Date,
  staleAfterDays: number,
): Promise<Ranked[]> {
  const names = repos.map(({ name }) => name)
  const written = await Promise.all(handoffs.map((one) => one.of(names)))
  const ranked = await mapConcurrently(repos, AT_ONCE, look)
  return ranked.sort((a, b) => b.attention - a.attention || (a.name < b.name ? -1 : 1))

  async function look({ name, folder }: { name: string; folder?: string }): Promise<Ranked> {
    const [figures, flags, times] = await Promise.all([
      open ? open.get(name) : tasks?.open(name),
      folder === undefined ? undefined : checks.of(folder),
      folder === undefined ? undefined : frameworkTimes(folder),
    ])
    const { open: openTasks, stuck: stuckTasks } = figures ?? { open: 0, stuck: 0 }
    const lastHandoff = [times?.lastHandoff, ...written.map((one) => one.get(name))]
      .filter((at) => at !== undefined)
      .sort()
      .at(-1)
    const seen = flags && { exists: flags.exists, hasFramework: flags.hasFramework }
    const { attention, parts } = attentionOf({ openTasks, stuckTasks, ...seen, ...defined({ lastHandoff }) }, now, staleAfterDays)
    return {
      name,
      attention,
      parts,
      openTasks,
      stuckTasks,
      ...(flags && { hasFramework: flags.hasFramework }),
      lastHandoff: lastHandoff ?? null,
    }
  }
}
