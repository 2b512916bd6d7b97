import { randomUUID } from 'node:crypto'
import { isAbsolute, relative } from 'node:path'
import { redactText } from '@gateway/sdk/redact'

export interface ToolUse {
  readonly tool?: string | undefined
  readonly input?: unknown
  readonly response?: unknown
  readonly isFailure?: boolean
}

const MAX_TARGET = 300
/** Members of a tool's input that say best what it was about. */
const TARGETS = ['command', 'file_path', 'absolute_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt']
const FILES = ['file_path', 'absolute_path', 'notebook_path']

/** Returns the step for the gateway: names and a line, never the content of files. */
export function stepOf({ tool, input, response, isFailure }: ToolUse, root: string, now: Date): object {
  const fields = objectOf(input)
  const target = TARGETS.map((name) => fields[name]).find((value) => typeof value === 'string')
  const files = FILES.map((name) => fields[name]).filter((value) => typeof value === 'string')
  return {
    stepId: randomUUID(),
    at: now.toISOString(),
    ...(tool !== undefined && { tool: tool.slice(0, 200) }),
    ...(target !== undefined && { target: redactText(target.slice(0, 2 * MAX_TARGET)).slice(0, MAX_TARGET) }),
    exit: isFailure || hasFailed(response) ? 'error' : response === undefined ? 'unknown' : 'ok',
    ...(files.length > 0 && { files: [...new Set(files.map((file) => within(root, file)))] }),
  }
}

function within(root: string, file: string): string {
  const path = isAbsolute(file) ? relative(root, file) : file
  return (path.startsWith('..') ? file : path).slice(0, 500)
}

function hasFailed(response: unknown): boolean {
  const { is_error: isError, success, error, exit_code: code, exitCode } = objectOf(response)
  return isError === true || success === false || Boolean(error) || [code, exitCode].some((one) => typeof one === 'number' && one !== 0)
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
