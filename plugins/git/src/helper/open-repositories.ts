import { OpenRepository } from './repository.ts'

/** Maximum number of repositories whose processes are kept running. */
const MAX_OPEN = 16
const PROCESS_IDLE_MS = 30_000

const open = new Map<string, OpenRepository>()

/** Returns the repository of a folder, opening it if necessary; the least recently used one is evicted. */
export function repositoryAt(folder: string): OpenRepository {
  const repository = open.get(folder) ?? new OpenRepository(folder)
  repository.usedAt = Date.now()
  open.delete(folder)
  open.set(folder, repository)
  if (open.size > MAX_OPEN) closeOne()
  return repository
}

function closeOne(): void {
  for (const [folder, repository] of open) {
    if (!repository.idle) continue
    open.delete(folder)
    repository.close()
    return
  }
}

/** Ends the long-lived processes of idle repositories; they start again with the next use. */
export function closeIdle(): void {
  for (const repository of open.values()) if (repository.idle && Date.now() - repository.usedAt > PROCESS_IDLE_MS) repository.close()
}

export function closeAll(): void {
  for (const repository of open.values()) repository.close()
  open.clear()
}
