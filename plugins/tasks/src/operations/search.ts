import { type Collection, type Filter, LIST_BYTES } from '@gateway/sdk'
import type { Task } from '../schema.ts'

/** Tasks that have the words in their title or description, best match first, as many as fit into one answer. */
export async function searchTasks(tasks: Collection<Task>, text: string, where: Filter<Task>, limit: number): Promise<Task[]> {
  const found: Task[] = []
  let bytes = 0
  for (const { item } of await tasks.search({ text, where, limit })) {
    bytes += Buffer.byteLength(JSON.stringify(item))
    if (found.length > 0 && bytes > LIST_BYTES) break
    found.push(item)
  }
  return found
}
