import type { BootSection, CallContext } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { BootPart, BootRequest } from '../api.ts'
import type { Part } from '../rules/bundle.ts'

interface PartUses {
  readonly parts: readonly BootPart[]
  readonly sections: readonly BootSection[]
  readonly config: { readonly partMilliseconds: number }
}
interface Rendered extends Part {
  readonly place: BootPart['place']
  readonly order: number
}

/** Renders the parts of other families by place and order. A part that fails or is slow is left out and logged. */
export async function renderParts({ parts, sections, config }: PartUses, request: BootRequest, ctx: CallContext) {
  const asParts: readonly BootPart[] = [
    ...parts,
    ...sections.map(({ title, order, stable, render }): BootPart => ({ title, order, place: stable ? 'stable' : 'volatile', render })),
  ]
  const rendered = await Promise.all(
    asParts.map(async (part): Promise<Rendered> => {
      const { title, place, order } = part
      return { title, place, order, text: await inTime(part, request, ctx, config.partMilliseconds) }
    }),
  )
  const of = (place: BootPart['place']) => rendered.filter((part) => part.place === place).sort((a, b) => a.order - b.order)
  return { stable: of('stable'), next: of('next'), volatile: of('volatile') }
}

async function inTime(part: BootPart, request: BootRequest, ctx: CallContext, limitMs: number): Promise<string> {
  try {
    return await withTimeLimit(part.render(request), limitMs, part.title)
  } catch (error) {
    ctx.log.warn('A part of the bundle was left out', { part: part.title, err: error })
    return ''
  }
}
