import { checkName, checkRepo, lint } from '@gateway/plugin-brain/api'
import { BadRequest } from '@gateway/sdk'
import { MAX_BYTES, type PackAtom } from '../schema.ts'

/** Checks rules for the atoms of a pack that the schema cannot express. Throws BAD_REQUEST naming the field. */
export function checkAtoms(atoms: readonly PackAtom[]): void {
  const bytes = atoms.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (bytes > MAX_BYTES)
    throw BadRequest({ field: 'atoms', message: `\`atoms\` must hold at most ${MAX_BYTES} bytes of content in all; got ${bytes}` })
  for (const [n, { kind, repo, slug, topic, content }] of atoms.entries()) {
    const field = `atoms[${n}].repo`
    if (kind === 'memory' && repo !== undefined)
      throw BadRequest({
        field,
        message: `\`${field}\` must be omitted for kind memory, which belongs to no repo; got ${JSON.stringify(repo)}`,
      })
    if (kind !== 'memory' && repo === undefined)
      throw BadRequest({ field, message: `\`${field}\` is required for kind ${kind}; got nothing` })
    if (content.trim() === '') {
      const what = `atoms[${n}].content`
      throw BadRequest({ field: what, message: `\`${what}\` must not be blank; got only blanks` })
    }
    checkName(`atoms[${n}].slug`, slug)
    if (repo !== undefined) checkRepo(field, repo)
    if (topic !== undefined) checkName(`atoms[${n}].topic`, topic)
  }
}

const MAX_WARNINGS = 100

/** Suggests improvements to the pack. They never stop a publication. */
export function warningsOf(atoms: readonly PackAtom[]): readonly string[] {
  const names = new Set<string>()
  const warnings = atoms.flatMap((atom, n) => {
    const name = `${atom.kind} ${atom.repo ?? ''} ${atom.slug}`
    const again = names.has(name) ? ['The pack has another atom of this kind, repo and slug.'] : []
    names.add(name)
    return [...again, ...lint(atom)].map((warning) => `atoms[${n}] (${atom.slug}): ${warning}`)
  })
  return warnings.slice(0, MAX_WARNINGS)
}
