import { buildFerretdb, startFerretdb } from './ferretdb.ts'

/** Address of a real MongoDB for tests, as passed on by scripts/test.mjs; tests create and drop their own databases there. */
export const realMongodb = process.env.TEST_MONGODB_URL ?? process.env.MONGODB_URL

export interface MongoServer {
  readonly product: 'MongoDB' | 'FerretDB'
  readonly url: string
  stop(): Promise<void>
}

/** The real server if there is one, otherwise FerretDB, otherwise the reason why there is none. */
export async function mongoServer(): Promise<MongoServer | { readonly reason: string }> {
  if (realMongodb) return { product: 'MongoDB', url: realMongodb, stop: async () => {} }
  const built = buildFerretdb()
  return 'reason' in built ? built : { product: 'FerretDB', ...(await startFerretdb(built.binary)) }
}
