import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { NodeRecord } from './collections.ts'

const ADVICE =
  'Nodes with one id write over each other’s ends of the audit trails, so that `gateway audit verify` misses records. ' +
  'Stop the gateway on the copy, move `node.id` and `audit` out of its folder, and start it again.'

/** A data folder: the id that it keeps, also in a copy, and its path on this machine. */
export interface Folder {
  readonly id: string
  readonly path: string
}

/**
 * Notices other nodes on copies of this node's data folder. The record of a killed process stays for a while, and is not renewed: the
 * next process on the same folder must neither be refused nor wait.
 */
export class FolderCopies {
  readonly #nodeId: string
  readonly #folder: Folder
  readonly #log: Logger
  /** Ends of life of the other nodes, as last seen. */
  #seen = new Map<string, string>()
  readonly #told = new Set<string>()

  constructor(nodeId: string, folder: Folder, log: Logger) {
    this.#nodeId = nodeId
    this.#folder = folder
    this.#log = log
  }

  /**
   * Throws if the process of another node is certain to live, as one on this machine can be seen to. A node at the same path is an
   * earlier process on this very folder, which is locked: its number may be that of an unrelated process by now.
   */
  refuse(nodes: readonly NodeRecord[]): void {
    const other = this.#others(nodes).find(
      ({ host, pid, folderPath }) => host === hostname() && folderPath !== this.#folder.path && pid !== process.pid && isAlive(pid),
    )
    if (other) throw new Error(`${sentence(other)} ${ADVICE}`)
    this.look(nodes)
  }

  /** Logs once for each other node that renews its heartbeat. */
  look(nodes: readonly NodeRecord[]): void {
    const others = this.#others(nodes)
    for (const other of others) {
      const before = this.#seen.get(other.nodeId)
      if (before === undefined || other.aliveUntil <= before || this.#told.has(other.nodeId)) continue
      this.#told.add(other.nodeId)
      this.#log.error(`${sentence(other)} ${ADVICE}`)
    }
    this.#seen = new Map(others.map(({ nodeId, aliveUntil }) => [nodeId, aliveUntil]))
  }

  #others(nodes: readonly NodeRecord[]): readonly NodeRecord[] {
    return nodes.filter(({ nodeId, folder }) => folder === this.#folder.id && nodeId !== this.#nodeId)
  }
}

const sentence = ({ pid, host }: NodeRecord): string =>
  `The gateway of process ${pid} on ${host} has the same node.id: one of the two runs on a copy of the other’s data folder.`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
