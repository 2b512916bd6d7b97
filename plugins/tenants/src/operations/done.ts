import type { CommandOutput } from '@gateway/sdk'

/** What the service answered, which `--json` prints, and how it is told otherwise. */
export interface Done {
  readonly answer: object
  tell(output: CommandOutput): void
}

export function print({ answer, tell }: Done, json: boolean | undefined, output: CommandOutput): void {
  if (json) output.json(answer)
  else tell(output)
}
