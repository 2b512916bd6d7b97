/** Waits for turns of the event loop: by default as many as a group of writes needs from its first write to its sync. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
