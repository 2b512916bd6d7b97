import type { Oid } from '@gateway/plugin-git/api'
import { BadRequest, NotFound } from '@gateway/sdk'
import { isBranch, refOf } from '../rules/names.ts'
import { readAtomPath } from '../rules/paths.ts'
import { type AtomDoc, atomId } from './documents.ts'
import type { Refs } from './refs.ts'
import type { View } from './view.ts'

/** Resolves a commit by HEAD, by the name of a branch, or by an id of 7 digits or more. No other text is accepted as a ref. */
export async function resolveRef(view: View, text: string, field: string): Promise<Oid> {
  if (text === 'HEAD') return view.head
  if (isBranch(text)) {
    const [tip] = await view.repo.tips([refOf(text)])
    if (tip === undefined) throw NotFound({ what: 'branch', id: text })
    return tip
  }
  if (!/^[0-9a-f]{7,40}$/i.test(text))
    throw BadRequest({
      field,
      message: `\`${field}\` must be HEAD, main, session/…, idea/… or the 7 to 40 hex digits of a commit; got ${JSON.stringify(text)}`,
    })
  const commit = await view.repo.commit(text.toLowerCase())
  if (commit === undefined) throw NotFound({ what: 'brain commit', id: text })
  return commit
}

export async function resolveAtom(refs: Refs, { visible }: Pick<View, 'visible'>, ref: string): Promise<AtomDoc> {
  const found = readAtomPath(ref)
    ? await refs.atoms.getMany(visible.map((branch) => atomId(branch, ref)))
    : /^[0-9a-f]{8}$/.test(ref)
      ? (await refs.atoms.find({ where: { sha8: ref }, sort: { seq: -1 }, limit: 100 })).items.filter(({ branch }) =>
          visible.includes(branch),
        )
      : undefined
  if (!found) throw BadRequest({ field: 'ref', message: `\`ref\` must be the sha8 or the path of an atom; got ${JSON.stringify(ref)}` })
  if (!found[0]) throw NotFound({ what: 'atom', id: ref })
  return found[0]
}
