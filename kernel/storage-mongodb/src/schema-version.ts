import type { Db } from 'mongodb'

/** Version of the layout in layout.ts. Raise it when an older version can no longer read what this one writes. */
const SCHEMA_VERSION = 1
export const SCHEMA_COLLECTION = 'gateway.schema'

/** Refuses a database written by a newer version and marks a new one. */
export async function checkSchemaVersion(db: Db): Promise<void> {
  const marks = db.collection<{ _id: string; version: number }>(SCHEMA_COLLECTION)
  const mark = await marks.findOne({ _id: 'schema' })
  if (!mark) {
    await marks.updateOne({ _id: 'schema' }, { $set: { version: SCHEMA_VERSION } }, { upsert: true })
    return
  }
  if (mark.version > SCHEMA_VERSION)
    throw new Error(
      `the database ${db.databaseName} was written by a newer version of the gateway (schema ${mark.version}; this version knows ${SCHEMA_VERSION}). Run that version or a newer one`,
    )
}
