import { type Collection, closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { KERNEL_TENANT } from '../kernel-tenant.ts'
import type { Store } from '../port.ts'

const Mark = Type.Object(
  {
    id: Type.String(),
    /** The store that this one is becoming a copy of. */
    source: Type.String(),
    startedAt: Type.String(),
    /** Checkpoint of the running pass; the next process continues there. */
    reached: Type.Optional(
      Type.Object({
        pass: Type.Integer(),
        /** Documents that this pass has corrected so far. */
        changed: Type.Integer(),
        /** Documents that the pass before corrected, if there was one. */
        before: Type.Optional(Type.Integer()),
        collection: Type.String(),
        tenant: Type.String(),
        id: Type.String(),
      }),
    ),
  },
  closed,
)
export type Mark = Infer<typeof Mark>

/** Marks a store as the unfinished copy of another: copying continues by it, and no gateway starts there. */
export const migrationMarks = defineCollection('gateway.migration', { schema: Mark, key: 'id' })
export const MARK_ID = 'migration'

export function marksOf(store: Store): Collection<Mark> {
  return store.collection<Mark>(migrationMarks, KERNEL_TENANT)
}

export async function refuseUnfinishedCopy(store: Store): Promise<void> {
  const mark = await marksOf(store).get(MARK_ID)
  if (mark)
    throw new Error(
      `This store is an unfinished copy of ${mark.source}. Finish it with \`gateway migrate --finish\`, run with the settings of the original, or use the original.`,
    )
}
