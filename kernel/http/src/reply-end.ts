import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** Replies that wait behind another on their connection, with their listeners. */
const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls a listener when a reply has ended: written to its last byte, or cut off because its client disconnected. A client may
 * send its next request before it has the last answer. Node does not report a closed connection to replies that wait for their
 * turn, so this listens to the connection itself.
 */
export function onReplyEnd({ raw, request }: FastifyReply, listener: () => void): void {
  const { socket } = request.raw
  // An injected reply is destroyed at its end and never closed.
  if (raw.closed || raw.destroyed || socket.destroyed) return listener()
  if (raw.socket !== null) return void raw.on('close', listener)
  const queue = queueOf(socket)
  const notifyNext = (): void => {
    if (queue.delete(notifyNext)) listener()
  }
  queue.add(notifyNext)
  raw.on('close', notifyNext)
}

function queueOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket)
  if (known) return known
  const queue = new Set<() => void>()
  waiting.set(socket, queue)
  socket.once('close', () => {
    for (const notifyNext of queue) notifyNext()
  })
  return queue
}
