export const TASK = { name: 'task', description: 'The work to do. Without it, the conversation says it.' }

export const beginning = (names: readonly { name: string }[], typed: string): string[] =>
  names.map(({ name }) => name).filter((name) => name.startsWith(typed))

export const withTask = (text: string, task: string | undefined): string => (task ? `${text.trimEnd()}\n\n# Task\n\n${task}` : text)
