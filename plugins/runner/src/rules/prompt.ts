import type { Task } from '../schema.ts'

/** The work around a task that its agent should know. */
export interface Background {
  /** Goal of its swarm. */
  readonly goal?: string
  /** Tasks that it depends on. */
  readonly upstream: readonly (Pick<Task, 'taskId' | 'title' | 'notes' | 'prUrl'> & { readonly branch: string })[]
}

interface Material {
  readonly branch: string
  /** Branch that keeps the work of an earlier run, which this run begins with. */
  readonly rescued: string | undefined
  readonly context: string | undefined
  readonly check: string | undefined
  readonly background: Background
}

/** Instructions and material for an agent that reads its task on standard input. */
export function promptOf(task: Task, { branch, rescued, context, check, background }: Material): string {
  return [
    `# ${task.title}`,
    task.description ?? '',
    task.notes ? `## Notes\n\n${task.notes}` : '',
    backgroundOf(background),
    [
      '## How to work',
      '',
      `You are in a git worktree of ${task.repo} on the branch ${branch}. Nobody answers questions; decide for yourself and say why at the end.`,
      ...(rescued === undefined
        ? []
        : [
            `An earlier run of this task ended before its work was delivered. Your branch begins with that work, which ${rescued} keeps: read it and the notes, keep what is right, and go on.`,
          ]),
      'Commit your work in small commits. Do not push, do not switch branches, and leave no process running.',
      ...(check === undefined ? [] : [`Before you end, make \`${check}\` pass: it decides whether your work is accepted.`]),
    ].join('\n'),
    context ? `## Context\n\n${context}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Characters of the notes of one dependency. The end of notes tells of its delivery. */
const MAX_NOTES = 2_000

function backgroundOf({ goal, upstream }: Background): string {
  const tasks = upstream.map(({ taskId, title, notes, prUrl, branch }) =>
    [
      `### ${title}\n\nTask ${taskId}, branch ${branch}${prUrl === undefined ? '' : `, ${prUrl}`}.`,
      ...(notes ? [notes.slice(-MAX_NOTES)] : []),
    ].join('\n\n'),
  )
  return [
    ...(goal === undefined ? [] : [`## Goal\n\nThe task is a part of this goal of several tasks: ${goal}`]),
    ...(tasks.length === 0
      ? []
      : [
          '## Work that this task depends on\n\nA new branch begins with it, as far as it is in reach. Build on it; others review it.',
          ...tasks,
        ]),
  ].join('\n\n')
}
