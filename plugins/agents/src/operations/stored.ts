import { type CallContext, type Collection, gatewayWide, type Infer, type Resolved } from '@gateway/sdk'
import { definitions } from '../collections.ts'
import { KINDS, type Kind, short } from '../rules/definition.ts'
import { definitionsChanged } from './events.ts'
import { type Library, type Loaded, library } from './library.ts'

type Stored = Infer<(typeof definitions)['schema']>
export const storedUses = { wide: gatewayWide(definitions), library, changed: definitionsChanged }
type Refs = Resolved<typeof storedUses>

const REVISION = 'revision'
const WAIT_MS = 1_000
const MAX_DEFINITIONS = 10_000

export const wholeKind = (kind: Kind): string => `${kind}.whole`

/**
 * Brings the store up to date with the folders. For a caller who may not write for all tenants it publishes an event and waits
 * a moment. Throws when the store cannot answer, or still holds something older then.
 */
export async function updateStored({ wide, library, changed }: Refs, loaded: Loaded, ctx: CallContext): Promise<void> {
  if (library.storedRevision === loaded.revision) return
  const known = await wide.get(REVISION)
  if (known?.json === loaded.revision) library.storedRevision = loaded.revision
  else if (ctx.holds('operator')) await write(wide.writable(), library, loaded)
  else {
    changed.emit({ revision: loaded.revision })
    const until = performance.now() + WAIT_MS
    while (library.storedRevision !== loaded.revision && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
    if (library.storedRevision !== loaded.revision) throw new Error('the agent definitions are not in the store yet')
  }
}

/** The revision is last: a reader that finds it finds the rest. */
export function write(collection: Collection<Stored>, library: Library, loaded: Loaded): Promise<void> {
  return library.writeOnce(async () => {
    if (library.storedRevision === loaded.revision) return
    const wanted = new Map(documentsOf(loaded).map((document) => [document.definitionId, document]))
    const { items } = await collection.find({ limit: MAX_DEFINITIONS })
    const gone = items.filter(({ definitionId, kind }) => kind !== REVISION && !wanted.has(definitionId))
    await Promise.all([
      ...[...wanted.values()].map((document) => collection.upsert(document, { set: { json: document.json } })),
      ...gone.map(({ definitionId }) => collection.deleteOne(definitionId)),
    ])
    const revision = { definitionId: REVISION, kind: REVISION, name: REVISION, json: loaded.revision }
    await collection.upsert(revision, { set: { json: loaded.revision } })
    library.storedRevision = loaded.revision
  })
}

function documentsOf({ set }: Loaded): Stored[] {
  return KINDS.flatMap((kind) =>
    [...set[kind].values()].flatMap((whole) => {
      const { name } = whole
      const document = (of: string, value: object) => ({ definitionId: `${of}/${name}`, kind: of, name, json: JSON.stringify(value) })
      return [document(kind, short(kind, whole)), document(wholeKind(kind), whole)]
    }),
  )
}
