import type { Db } from 'mongodb'

/** Capabilities of the server behind the protocol. */
export interface Flavour {
  readonly product: 'MongoDB' | 'FerretDB'
  readonly version: string
  /** A replica set or a sharded cluster. */
  readonly transactions: boolean
  readonly partialIndexes: boolean
  readonly textIndexes: boolean
  /** Updates can be written as pipelines, which contain the server's own clock. */
  readonly serverTimes: boolean
}

export async function flavourOf(db: Db): Promise<Flavour> {
  const [hello, build] = await Promise.all([db.command({ hello: 1 }), db.admin().command({ buildInfo: 1 })])
  const version = String(build.version)
  if ('ferretdb' in build || 'ferretdbVersion' in build)
    return { product: 'FerretDB', version, transactions: false, partialIndexes: false, textIndexes: false, serverTimes: false }
  const transactions = typeof hello.setName === 'string' || hello.msg === 'isdbgrid'
  return { product: 'MongoDB', version, transactions, partialIndexes: true, textIndexes: true, serverTimes: true }
}
