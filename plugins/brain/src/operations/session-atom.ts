import { parseAtom } from '../rules/atom-file.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

const MAX_TEXT = 24_000

export interface SessionAtom {
  readonly title: string
  readonly text: string
}

/** Returns the newest atom that an end of a session left on one of these branches. */
export async function sessionAtom(
  { namespace, slug }: { readonly namespace: string; readonly slug: string },
  branches: readonly string[],
  { atoms }: Pick<Refs, 'atoms'>,
  { repo }: Pick<View, 'repo'>,
): Promise<SessionAtom | undefined> {
  const where = { branch: { in: [...branches] }, kind: 'session' as const, namespace, slug }
  const [atom] = (await atoms.find({ where, sort: { seq: -1 }, limit: 1 })).items
  const [text] = atom ? await repo.blobs([atom.blob], MAX_TEXT) : []
  return atom && text !== undefined ? { title: atom.title, text: parseAtom(text).content } : undefined
}
