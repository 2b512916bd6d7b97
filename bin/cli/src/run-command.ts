import { type MainOptions, main } from './main.ts'
import { Output } from './output.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json(): any
}

/** Runs a command to its end, in this process, without colour: for tests of commands. */
export async function runCommand(options: Omit<MainOptions, 'output'>): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const output = new Output({ stdout: (part) => void (stdout += part), stderr: (part) => void (stderr += part), colour: false })
  const code = await main({ ...options, output })
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}
