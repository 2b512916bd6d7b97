import { within } from '@gateway/sdk/bounds'
import type { MongoClient } from 'mongodb'

/** The driver's connections and its monitors of the servers, which it does not publish. */
interface Connected {
  readonly topology?: { close(): void }
}

/**
 * The driver's close waits without end for a session whose connection was lost at the wrong moment. After the limit the
 * connections and monitors are closed without it; otherwise they would keep the process alive.
 */
export async function closeClient(client: MongoClient, limitMs: number): Promise<void> {
  const isClosed = client.close().then(() => true)
  if (await within(isClosed, limitMs, false)) return
  ;(client as unknown as Connected).topology?.close()
}
