import { buildFerretdb, startFerretdb } from './ferretdb.ts'

/** The address of a real MongoDB that tests may use, as scripts/test.mjs hands it on; databases of their own come and go there. */
export const realMongodb = process.env.TEST_MONGODB_URL ?? process.env.MONGODB_URL

export interface MongoServer {
  readonly product: 'MongoDB' | 'FerretDB'
  readonly url: string
  stop(): Promise<void>
}

/** The real server where there is one, else FerretDB, else why there is none. */
export async function mongoServer(): Promise<MongoServer | { readonly reason: string }> {
  if (realMongodb) return { product: 'MongoDB', url: realMongodb, stop: async () => {} }
  const built = buildFerretdb()
  return 'reason' in built ? built : { product: 'FerretDB', ...(await startFerretdb(built.binary)) }
}
