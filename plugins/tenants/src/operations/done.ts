import type { CommandOutput } from '@gateway/sdk'

/** The service's answer, which `--json` prints, and its text for people. */
export interface Done {
  readonly answer: object
  tell(output: CommandOutput): void
}

export function print({ answer, tell }: Done, json: boolean | undefined, output: CommandOutput): void {
  if (json) output.json(answer)
  else tell(output)
}
