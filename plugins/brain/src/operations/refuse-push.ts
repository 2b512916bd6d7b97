import type { PushedRef, PushFacts, Quarantine, Repository } from '@gateway/plugin-git/api'
import { pushFault, refFault } from '../rules/push.ts'
import { HEAD_BYTES, isText, MAX_ATOM_BYTES, textFault } from '../rules/pushed-file.ts'
import { MAX_CONTENT } from '../schema.ts'

interface PushedText {
  readonly path: string
  readonly blob: string
  readonly size: number
}

/** Why a push is refused, as a sentence, or `undefined`: the refs first, then all commits and files, then the texts of atoms. */
export async function refusePush(repo: Repository, pushed: readonly PushedRef[], quarantine: Quarantine): Promise<string | undefined> {
  for (const ref of pushed) {
    const fault = refFault(ref)
    if (fault !== undefined) return fault
  }
  const facts = await repo.pushFacts(pushed, quarantine)
  const fault = pushFault(facts)
  if (fault !== undefined) return fault
  const texts = textsOf(facts)
  // Most texts are judged by their beginning; of a long one the characters are counted.
  const isLong = ({ size }: PushedText): boolean => size > MAX_CONTENT
  return (
    (await firstFault(
      repo,
      quarantine,
      texts.filter((one) => !isLong(one)),
      HEAD_BYTES,
    )) ?? (await firstFault(repo, quarantine, texts.filter(isLong), MAX_ATOM_BYTES))
  )
}

function textsOf({ commits }: PushFacts): readonly PushedText[] {
  const coming = commits.flatMap(({ changes }) => changes).filter(({ status, path }) => status !== 'D' && isText(path))
  return coming.flatMap(({ path, blob, size }) => (size === undefined ? [] : [{ path, blob, size }]))
}

async function firstFault(
  repo: Repository,
  quarantine: Quarantine,
  texts: readonly PushedText[],
  maxBytes: number,
): Promise<string | undefined> {
  if (texts.length === 0) return undefined
  const left = [...texts]
  const oids = texts.map(({ blob }) => blob)
  for await (const piece of repo.pushedTexts(oids, quarantine, maxBytes))
    for (const text of piece) {
      const { path, size } = left.shift() as PushedText
      const fault = text === undefined ? `${path} could not be read.` : textFault(path, text, size > maxBytes)
      if (fault !== undefined) return fault
    }
  return left.length === 0 ? undefined : 'The push could not be read.'
}
