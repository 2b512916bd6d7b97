import type { BootSection, CallContext } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { BootPart, BootRequest } from '../api.ts'
import type { Part } from '../rules/bundle.ts'

const MAX_PART_MS = 1_000

interface PartUses {
  readonly parts: readonly BootPart[]
  readonly sections: readonly BootSection[]
}
interface Rendered extends Part {
  readonly place: BootPart['place']
  readonly order: number
}

/** Renders the parts of other families by place and order. A part that fails or is slow is left out and logged. */
export async function renderParts({ parts, sections }: PartUses, request: BootRequest, ctx: CallContext) {
  const asParts: readonly BootPart[] = [
    ...parts,
    ...sections.map(({ title, order, stable, render }): BootPart => ({ title, order, place: stable ? 'stable' : 'volatile', render })),
  ]
  const rendered = await Promise.all(
    asParts.map(async (part): Promise<Rendered> => {
      const { title, place, order } = part
      return { title, place, order, text: await inTime(part, request, ctx) }
    }),
  )
  const of = (place: BootPart['place']) => rendered.filter((part) => part.place === place).sort((a, b) => a.order - b.order)
  return { stable: of('stable'), next: of('next'), volatile: of('volatile') }
}

async function inTime(part: BootPart, request: BootRequest, ctx: CallContext): Promise<string> {
  try {
    return await withTimeLimit(part.render(request), MAX_PART_MS, part.title)
  } catch (error) {
    ctx.log.warn('A part of the bundle was left out', { part: part.title, err: error })
    return ''
  }
}
