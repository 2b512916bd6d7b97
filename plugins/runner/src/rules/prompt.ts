import type { Task } from '../schema.ts'

/** Instructions and material for an agent that reads its task on standard input. */
export function promptOf(
  task: Task,
  { branch, context, check }: { branch: string; context: string | undefined; check: string | undefined },
): string {
  return [
    `# ${task.title}`,
    task.description ?? '',
    task.notes ? `## Notes\n\n${task.notes}` : '',
    [
      '## How to work',
      '',
      `You are in a git worktree of ${task.repo} on the branch ${branch}. Nobody answers questions; decide for yourself and say why at the end.`,
      'Commit your work in small commits. Do not push, do not switch branches, and leave no process running.',
      ...(check === undefined ? [] : [`Before you end, make \`${check}\` pass: it decides whether your work is accepted.`]),
    ].join('\n'),
    context ? `## Context\n\n${context}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
