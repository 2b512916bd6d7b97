import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import type { PackRequest } from '../api.ts'
import { measure } from '../helper/usage.ts'
import { readQuestion } from '../rules/hook.ts'
import { MAX_REFS, TOO_MANY_REFS } from '../rules/push-commands.ts'

type Judge = NonNullable<PackRequest['judge']>
type Accept = (refs: readonly string[]) => void

/** Answers the hook that git runs before refs move; `accept` is called with the refs of an accepted push. */
export async function answerHook(channel: Duplex, folder: string, judge: Judge, accept: Accept): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface({ input: channel })) {
    if (line === '.') break
    lines.push(line)
    if (lines.length > MAX_REFS + 1) break
  }
  if (lines.length === 0) return
  const verdict = await verdictOn(lines, folder, judge, accept)
  channel.end(`${verdict.replaceAll(/[\r\n]+/g, ' ')}\n`)
}

async function verdictOn(lines: readonly string[], folder: string, judge: Judge, accept: Accept): Promise<string> {
  if (lines.length > MAX_REFS + 1) return TOO_MANY_REFS
  const question = readQuestion(lines)
  if (!question) return 'The push could not be read.'
  try {
    const { objects, refs } = question
    const quarantine = objects === '' ? { objects: join(folder, 'objects'), bytes: 0 } : { objects, bytes: (await measure(objects)).bytes }
    const fault = await judge(refs, quarantine)
    if (fault !== undefined) return fault
    accept(refs.map(({ ref }) => ref))
    return 'ok'
  } catch {
    return 'The push could not be checked; nothing was changed. Try again.'
  }
}
