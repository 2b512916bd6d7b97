interface Result {
  readonly taskId: string
  readonly outcome: 'done' | 'failed'
  readonly summary: string | undefined
  readonly links: readonly string[]
}

export function resultBody({ taskId, outcome, summary, links }: Result): string {
  return [`Task ${taskId}: ${outcome}.`, summary, ...links.map((link) => `- ${link}`)].filter((line) => line !== undefined).join('\n')
}
